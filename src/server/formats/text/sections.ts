import { formatHeading } from './markdown.ts'
import type { Output } from '../reading/output.ts'

/** A section becomes several pieces beyond this many characters. */
const MAX_CHARS = 4000

/** Takes the blocks of a flowing text in their order. */
export type BlockWriter = { heading(level: number, text: string): void; block(markdown: string): void }

/** Gathers the blocks of a flowing text into pieces that end at headings, each with the headings that it stands under. */
export class Sections implements BlockWriter {
  private readonly output: Output
  private headings: { level: number; text: string }[] = []
  private blocks: string[] = []
  private chars = 0
  private hasText = false

  constructor(output: Output) {
    this.output = output
  }

  heading(level: number, text: string): void {
    const title = text.replace(/\s+/g, ' ').trim()
    if (!title) return
    // A chapter's title stays with what follows it.
    if (this.hasText) this.end()
    this.headings = [...this.headings.filter((heading) => heading.level < level), { level, text: title }]
    this.output.title ??= title
    this.add(formatHeading(level, title))
  }

  block(markdown: string): void {
    if (!markdown.trim()) return
    if (this.chars + markdown.length > MAX_CHARS && this.chars > 0) this.end()
    this.hasText = true
    this.add(markdown)
  }

  /** Ends the piece; the headings stay. */
  end(): void {
    const heading = this.headings.map(({ text }) => text)
    if (this.blocks.length) this.output.add(this.blocks.join('\n\n'), heading.length ? { heading } : {})
    this.blocks = []
    this.chars = 0
    this.hasText = false
  }

  private add(markdown: string): void {
    this.blocks.push(markdown)
    this.chars += markdown.length
  }
}
