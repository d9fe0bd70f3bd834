import type { ModelCard } from '#contract/models.ts'
import { modelsText } from '#web/text/models.ts'

/** How a program asks a model through the calls that the chat page makes: two commands. `base` is the site's origin. */
export function buildCurlSample({ id, guest }: Pick<ModelCard, 'id' | 'guest'>, base: string): string {
  const body = JSON.stringify({ prompt: modelsText.samplePrompt, model: id })
  return [
    `# ${guest ? modelsText.sampleGuest : modelsText.sampleLogin}`,
    '',
    `# 1. ${modelsText.sampleAsk}`,
    `curl -X POST '${base}/api/chat/create' \\`,
    `  -b cookies.txt -c cookies.txt \\`,
    `  -H 'X-Requested-With: XMLHttpRequest' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoteForShell(body)}`,
    '',
    `# 2. ${modelsText.sampleRead}`,
    `curl -N -b cookies.txt '${base}/api/chat/completions?chat_id={chat_id}'`,
  ].join('\n')
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
