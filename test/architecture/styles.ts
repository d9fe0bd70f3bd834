import type { Rule } from './module.ts'

/** Requires names for sizes of text: the type scale of src/web/styles/app.css and Tailwind's own. */
export const typeScale: Rule = (modules) =>
  modules
    .filter(({ path }) => path.startsWith('src/web/'))
    .flatMap(({ path, text }) =>
      Array.from(
        text.matchAll(/\btext-\[(?:length:)?[\d.][^\]]*\]/g),
        ([size]) =>
          `${path} has the size ${size}: take a step of the type scale (text-tiny, text-note, text-reading … in src/web/styles/app.css, or Tailwind's text-xs, text-sm, text-base, text-lg).`,
      ),
    )
