import { useState } from 'react'
import type { Organization, OrganizationMember } from '#contract/organizations/organizations.ts'
import type { UserInfo } from '#contract/users.ts'
import { formatCoins } from '#web/core/format.ts'
import { organizationText as text } from '#web/text/account/organization.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Table } from '#web/ui/Table.tsx'
import { MemberDialog, RemoveDialog } from './MemberDialog.tsx'
import { useMembers } from './organizationCalls.ts'

type Props = { organization: Organization; user: UserInfo }

/** Shows the organization's members, each with this month's use and limit. */
export function Members({ organization, user }: Props) {
  const { uuid: id, role, members_can_invite } = organization
  const query = useMembers(id)
  const [managed, setManaged] = useState<OrganizationMember | null>(null)
  const [memberToRemove, setMemberToRemove] = useState<OrganizationMember | null>(null)
  const canManage = (member: OrganizationMember): boolean =>
    role === 'owner' || (role === 'admin' && member.role === 'member')
  /** Plain members may remove only those whom they invited. */
  const canRemove = (member: OrganizationMember): boolean =>
    role === 'member' && members_can_invite && member.role === 'member' && member.invited_by === user.uuid
  const hasActions = role !== 'member' || query.data?.items.some(canRemove)
  const columns = [
    {
      key: 'member',
      title: text.member,
      cell: (member: OrganizationMember) => (
        <span className="flex min-w-44 items-center gap-2.5">
          <Avatar name={member.name} src={member.avatar} />
          <span className="min-w-0 font-medium wrap-anywhere">{member.name}</span>
          {member.user_id === user.uuid && <Badge tone="accent">{text.you}</Badge>}
        </span>
      ),
    },
    {
      key: 'role',
      title: text.role,
      className: 'whitespace-nowrap leading-8',
      cell: (member: OrganizationMember) => text.roles[member.role],
    },
    {
      key: 'month',
      title: text.month,
      align: 'right' as const,
      className: 'whitespace-nowrap leading-8',
      cell: (member: OrganizationMember) => formatCoins(member.used_this_month),
    },
    {
      key: 'calls',
      title: text.calls,
      align: 'right' as const,
      className: 'leading-8',
      cell: (member: OrganizationMember) => member.calls_this_month,
    },
    {
      key: 'limit',
      title: text.limitColumn,
      align: 'right' as const,
      className: 'whitespace-nowrap leading-8',
      cell: ({ credit_used, credit_limit }: OrganizationMember) =>
        text.ofLimit(formatCoins(credit_used), credit_limit ? formatCoins(credit_limit) : text.unlimited),
    },
    ...(hasActions
      ? [
          {
            key: 'actions',
            title: text.actions,
            cell: (member: OrganizationMember) =>
              canManage(member) ? (
                <Button size="sm" aria-label={text.manage(member.name)} onClick={() => setManaged(member)}>
                  {text.manageShort}
                </Button>
              ) : (
                canRemove(member) && (
                  <Button
                    size="sm"
                    aria-label={text.removeName(member.name)}
                    onClick={() => setMemberToRemove(member)}
                  >
                    {text.removeShort}
                  </Button>
                )
              ),
          },
        ]
      : []),
  ]
  return (
    <section>
      <h2 className="mb-3 text-base font-semibold">{text.members}</h2>
      <QueryView query={query} failed={text.failed} skeleton={<Skeleton className="h-32" />}>
        {({ items }) => (
          <Table
            label={text.members}
            columns={columns}
            rows={items}
            rowKey={({ user_id }: OrganizationMember) => user_id}
          />
        )}
      </QueryView>
      {managed && (
        <MemberDialog
          key={managed.user_id}
          organization={organization}
          member={managed}
          canRemove={managed.user_id !== user.uuid}
          onClose={() => setManaged(null)}
        />
      )}
      {memberToRemove && (
        <RemoveDialog id={id} member={memberToRemove} onClose={() => setMemberToRemove(null)} />
      )}
    </section>
  )
}
