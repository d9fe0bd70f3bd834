import { docsText } from '#web/text/docs/reference.ts'
import { Select } from '#web/ui/form/Select.tsx'
import { MethodBadge } from './CallSection.tsx'
import { groupByTag, type ApiCall } from './openapi.ts'

/** The calls as a list of links, kept in view beside the page. */
export function TableOfContents({ calls }: { calls: ApiCall[] }) {
  return (
    <nav
      aria-label={docsText.contents}
      className="sticky top-6 max-h-[calc(100dvh-3rem)] overflow-y-auto pb-6 text-note max-lg:hidden"
    >
      {groupByTag(calls).map(([tag, group]) => (
        <div key={tag} className="mb-4">
          <p className="px-2 pb-1 text-xs text-ink3">{tag}</p>
          <ul>
            {group.map((call) => (
              <li key={call.id}>
                <a
                  href={`#${call.id}`}
                  className="flex items-center gap-2 rounded-lg px-2 py-1.5 text-ink2 transition-colors hover:bg-fill2 hover:text-ink"
                >
                  <MethodBadge method={call.method} className="w-14 shrink-0 text-center" />
                  <span className="min-w-0 truncate">{call.summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** The same where there is no room beside the page. */
export function TableOfContentsSelect({ calls }: { calls: ApiCall[] }) {
  return (
    <Select
      aria-label={docsText.contents}
      value=""
      onChange={(event) => {
        location.hash = event.target.value
      }}
      className="w-full lg:hidden"
    >
      <option value="">{docsText.contents}</option>
      {groupByTag(calls).map(([tag, group]) => (
        <optgroup key={tag} label={tag}>
          {group.map((call) => (
            <option key={call.id} value={call.id}>
              {call.method} {call.path}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  )
}
