import {
  Book,
  FileArchive,
  FileCode,
  FileText,
  Film,
  Image,
  Link2,
  type LucideIcon,
  Music,
  Presentation,
  Table2,
} from 'lucide-react'

const ICONS: [pattern: RegExp, icon: LucideIcon][] = [
  [/^image\//, Image],
  [/^audio\//, Music],
  [/^video\//, Film],
  [/spreadsheet|excel|csv|\.(xls[xm]?|csv|tsv|ods)$/, Table2],
  [/presentation|powerpoint|\.(ppt[xm]?|odp)$/, Presentation],
  [/epub/, Book],
  [/zip|compressed|\.(zip|tar|gz|7z|rar)$/, FileArchive],
  [/\.(json|xml|ya?ml|toml|ipynb|py|m?js|tsx?|java|go|rs|c|h|cpp|cs|php|rb|sql|sh|css|vue)$/, FileCode],
]

/** Icon of a kind of file, by its type and name; `link` for a web page. */
export function FileIcon({ type, name, link }: { type: string; name: string; link?: boolean }) {
  const kind = `${type} ${name.toLowerCase()}`
  const Icon = link ? Link2 : (ICONS.find(([pattern]) => pattern.test(kind))?.[1] ?? FileText)
  return (
    <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-[10px] bg-fill text-ink2">
      <Icon size={18} strokeWidth={1.75} />
    </span>
  )
}
