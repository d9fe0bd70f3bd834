// A rule of our own for oxlint: our names are camelCase (CODE_STYLE.md). A name that a pattern takes over from a field of the
// wire or from a column keeps its spelling: `{ user_id }`.

type Pattern = {
  type: string
  name?: string
  left?: Pattern
  argument?: Pattern
  value?: Pattern
  key?: Pattern
  shorthand?: boolean
  elements?: (Pattern | null)[]
  properties?: Pattern[]
}
type Context = { report: (problem: { node: Pattern; message: string }) => void }

const SNAKE_CASE = /^[a-z][a-z0-9]*_/

/** Lists the names that a pattern introduces, without those that it takes over from the fields that it reads. */
function* listOwnNames(pattern: Pattern | null | undefined): Generator<Pattern> {
  if (!pattern) return
  if (pattern.type === 'Identifier') yield pattern
  if (pattern.type === 'Property' && pattern.shorthand) return
  for (const inner of [pattern.left, pattern.argument, pattern.value]) yield* listOwnNames(inner)
  for (const inner of [...(pattern.elements ?? []), ...(pattern.properties ?? [])]) yield* listOwnNames(inner)
}

const camelCaseNames = {
  create(context: Context) {
    const check = (pattern: Pattern | null | undefined): void => {
      for (const node of listOwnNames(pattern))
        if (SNAKE_CASE.test(node.name ?? ''))
          context.report({ node, message: `${node.name} is a name of our own: write it in camelCase` })
    }
    const checkParameters = ({ params }: { params: Pattern[] }): void => params.forEach(check)
    return {
      VariableDeclarator: ({ id }: { id: Pattern }) => check(id),
      FunctionDeclaration: checkParameters,
      FunctionExpression: checkParameters,
      ArrowFunctionExpression: checkParameters,
      TSFunctionType: checkParameters,
      TSMethodSignature: checkParameters,
    }
  },
}

export default { meta: { name: 'wenqu' }, rules: { 'camel-case-names': camelCaseNames } }
