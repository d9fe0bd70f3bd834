import type { CSSProperties } from 'react'
import { Logo } from '../Logo.tsx'
import './makers.css'

/** A monogram of our own and a hue (degrees, OKLCH) for each maker in the catalogue: no trademark is copied. */
const faces: Record<string, readonly [monogram: string, hue: number]> = {
  DeepSeek: ['深', 262],
  阿里云: ['阿', 48],
  智谱: ['智', 285],
  月之暗面: ['月', 232],
  字节跳动: ['字', 205],
  腾讯: ['腾', 245],
  MiniMax: ['M', 12],
  百川智能: ['百', 75],
  智源: ['源', 175],
  阶跃星辰: ['阶', 305],
  快手: ['快', 30],
  OpenAI: ['O', 160],
  Anthropic: ['A', 58],
  Google: ['G', 142],
  xAI: ['x', 330],
  Mistral: ['Mi', 40],
  Cohere: ['C', 350],
  'Voyage AI': ['V', 190],
  'Jina AI': ['J', 100],
}

/** Derives monogram and hue from the name of an unknown maker. */
function getFace(maker: string): readonly [monogram: string, hue: number] {
  const face = faces[maker]
  if (face) return face
  const sum = Array.from(maker).reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  return [Array.from(maker)[0]?.toUpperCase() ?? '·', (sum * 47) % 360]
}

/** The maker of a model, in a square of `size` pixels. Hidden from screen readers, since the maker's name stands beside it. */
export function MakerFace({ maker, size = 28 }: { maker: string; size?: number }) {
  if (maker === '问渠') return <Logo size={size} />
  const [monogram, hue] = getFace(maker)
  return (
    <span
      aria-hidden
      className="maker-face"
      style={{ '--hue': hue, width: size, height: size, fontSize: size * 0.46 } as CSSProperties}
    >
      {monogram}
    </span>
  )
}
