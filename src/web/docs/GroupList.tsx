import { Link, router } from '@inertiajs/react'
import { docsText } from '#web/text/docs/reference.ts'
import { Select } from '#web/ui/form/Select.tsx'
import { sideLinkClass, SectionLinks } from '#web/ui/layout/SectionLinks.tsx'
import { MethodBadge } from './CallSection.tsx'
import { getCallHref, getGroupHref, type ApiCall, type CallGroup } from './openapi.ts'

/** The groups of calls, with the calls of the current one; a select of calls where there is no room beside the page. */
export const GroupList = ({ groups, current }: { groups: CallGroup[]; current: CallGroup | undefined }) => (
  <>
    <ul aria-label={docsText.groupsTitle} className="flex flex-col gap-0.5 max-lg:hidden">
      {groups.map((group) => (
        <li key={group.name}>
          <Link
            href={getGroupHref(group.name)}
            aria-current={group === current ? 'page' : undefined}
            className={sideLinkClass}
          >
            {group.title}
          </Link>
          {group === current && (
            <SectionLinks
              label={group.title}
              sections={group.calls.map(toLink)}
              className="mt-0.5 mb-2 ml-2.5 flex flex-col gap-0.5 border-l pl-1.5"
            />
          )}
        </li>
      ))}
    </ul>
    <Select
      aria-label={docsText.groupsTitle}
      value={current?.name ?? ''}
      onChange={(event) => router.visit(getGroupHref(event.target.value))}
      className="my-1 w-full lg:hidden"
    >
      {groups.map(({ name, title, calls }) => (
        <option key={name} value={name}>
          {docsText.groupOf(title, calls.length)}
        </option>
      ))}
    </Select>
  </>
)

const toLink = ({ id, summary, method }: ApiCall) => ({
  id,
  // The first words of the summary suffice beside the page.
  title: summary.split(/[，；：（]/)[0]!,
  mark: <MethodBadge method={method} className="w-13 shrink-0 text-center" />,
})

/** The calls that a search found, each with a link to its description. */
export const FoundCalls = ({ calls }: { calls: ApiCall[] }) => (
  <ul aria-label={docsText.results} className="overflow-hidden rounded-2xl border bg-panel">
    {calls.map((call) => (
      <li key={call.id} className="border-t first:border-t-0">
        <Link
          href={getCallHref(call)}
          className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 transition-colors hover:bg-fill"
        >
          <MethodBadge method={call.method} className="w-14 shrink-0 text-center" />
          <code className="font-mono text-note break-all">{call.path}</code>
          <span className="text-note text-ink2">{call.summary}</span>
        </Link>
      </li>
    ))}
  </ul>
)
