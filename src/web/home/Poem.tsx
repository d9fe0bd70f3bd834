import { homeText } from '#web/text/site/home.ts'

/** The couplet that gave the product its name, written from top to bottom and right to left. */
export const Poem = ({ className = '' }: { className?: string }) => (
  <p
    className={`font-display font-semibold leading-[2.1] tracking-[0.32em] text-ink2 [writing-mode:vertical-rl] ${className}`}
  >
    {homeText.poem.map((line) => (
      <span key={line} className="block">
        {line}
      </span>
    ))}
  </p>
)
