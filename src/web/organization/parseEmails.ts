/** The addresses that somebody typed or pasted, each once. */
export const parseEmails = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,，;；、]+/)
      .filter(Boolean)
      .map((email) => email.toLowerCase()),
  ),
]

/** The first that cannot be an address; the server has the last word. */
export const findInvalidEmail = (emails: string[]): string | undefined =>
  emails.find((email) => !/^[^@]+@[^@]+\.[^@.]+$/.test(email))
