import type { Rule } from './module.ts'

const RELATIVE_CLAUSE = /^[*\s]*(What|Who|Whom|Whose|Of|Whether)\b/

/** Lets a comment begin with its subject or its verb: one that begins with a relative clause has to be read twice (CODE_STYLE.md). */
export const plainComments: Rule = (modules) =>
  modules.flatMap(({ path, comments }) =>
    comments.flatMap((comment) => {
      const [, word] = RELATIVE_CLAUSE.exec(comment) ?? []
      return word
        ? `${path} has the comment “${comment.trim().slice(0, 60)}”: begin with its subject or verb, as in “Tells whether …”, instead of “${word}”.`
        : []
    }),
  )
