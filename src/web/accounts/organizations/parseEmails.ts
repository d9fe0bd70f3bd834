/** Returns the addresses in a typed or pasted text, each once. */
export const parseEmails = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,，;；、]+/)
      .filter(Boolean)
      .map((email) => email.toLowerCase()),
  ),
]

/** Returns the first text that cannot be an address. The server has the last word. */
export const findInvalidEmail = (emails: string[]): string | undefined =>
  emails.find((email) => !/^[^@]+@[^@]+\.[^@.]+$/.test(email))
