import { Link } from '@inertiajs/react'
import { keysText, provisionText } from '../text/keys.ts'
import { buttonClass } from '../ui/Button.tsx'

const keyPages = [
  { href: '/profile/api-keys', title: keysText.title },
  { href: '/profile/provision-keys', title: provisionText.title },
]

/** The name of one page of keys, and the way to the other. */
export function KeysHeader({ title }: { title: string }) {
  return (
    <>
      <h1 className="mr-auto px-2 text-reading font-medium">{title}</h1>
      {keyPages
        .filter((room) => room.title !== title)
        .map((room) => (
          <Link key={room.href} href={room.href} className={buttonClass({ variant: 'ghost', size: 'sm' })}>
            {room.title}
          </Link>
        ))}
    </>
  )
}
