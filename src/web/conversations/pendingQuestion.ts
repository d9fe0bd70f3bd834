const KEY = 'wenqu.question'

/** Keeps a question that the server refused until the person comes back from signing in. */
export const savePendingQuestion = (prompt: string): void => sessionStorage.setItem(KEY, prompt)

/** The kept question, once. */
export function takePendingQuestion(): string {
  const prompt = sessionStorage.getItem(KEY) ?? ''
  sessionStorage.removeItem(KEY)
  return prompt
}
