import { request } from '#web/core/api.ts'
import { formatDateTime } from '#web/core/format.ts'
import { queryClient, useQuery } from '#web/core/queryClient.ts'
import { signInText as text } from '#web/text/account/signIn.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { SettingSection } from './SettingSection.tsx'

const queryKey = ['user-sessions'] as const

async function revoke(id: string): Promise<void> {
  await withToast(() => request('DELETE /api/user/sessions/{id}', { params: { id } }), { done: text.revoked })
  await queryClient.invalidateQueries({ queryKey })
}

/** Lists the browsers in which the person is signed in, and signs them out. */
export function SignedInBrowsers() {
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => request('GET /api/user/sessions', {}, { signal }),
  })
  return (
    <SettingSection id="sessions" title={text.browsers} hint={text.browsersHint}>
      <QueryView query={query} failed={text.browsersFailed} skeleton={<Skeleton className="h-14" />}>
        {({ items }) => (
          <ul aria-label={text.browsers} className="divide-y rounded-xl border">
            {items.map(({ id, user_agent, current, seen_at }) => (
              <li key={id} className="flex items-center gap-3 px-3.5 py-2.5">
                <div className="min-w-0 flex-1">
                  <p className="truncate">{nameBrowser(user_agent)}</p>
                  <p className="text-note text-ink3 tabular-nums">
                    {text.seen(formatDateTime(seen_at).slice(0, 10))}
                  </p>
                </div>
                {current ? (
                  <Badge tone="accent">{text.current}</Badge>
                ) : (
                  <Button size="sm" onClick={() => void revoke(id)}>
                    {text.revoke}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </SettingSection>
  )
}

/** Returns a browser's short name, such as `Chrome · Windows`, from its user agent. */
function nameBrowser(userAgent: string): string {
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = find([
    [/MicroMessenger/, text.wechatBrowser],
    [/Edg/, 'Edge'],
    [/Firefox/, 'Firefox'],
    [/Chrome|CriOS/, 'Chrome'],
    [/Safari/, 'Safari'],
  ])
  const system = find([
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Windows/, 'Windows'],
    [/Mac OS/, 'macOS'],
    [/Linux/, 'Linux'],
  ])
  return [browser ?? text.unknownBrowser, system].filter(Boolean).join(' · ')
}
