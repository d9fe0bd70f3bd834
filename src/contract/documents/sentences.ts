/**
 * The number that a line begins with, in front of the full stop that belongs to it (`1.`, `2.10.`, `IV.`, `A.`), as the source of a
 * lookbehind: no sentence ends there.
 */
export const LINE_NUMBER = String.raw`(?:^|\n)[ \t#>]{0,10}(?:\d{1,3}(?:\.\d{1,3}){0,5}|[IVXLC]{1,6}|[A-Za-z])`
