/** The colour names of CSS, as people write them, with their values; and everyday names that CSS does not have. */
const CSS_NAMES = `alice blue f0f8ff, antique white faebd7, aqua 00ffff, aquamarine 7fffd4, azure f0ffff, beige f5f5dc, bisque ffe4c4, black 000000,
blanched almond ffebcd, blue 0000ff, blue violet 8a2be2, brown a52a2a, burly wood deb887, cadet blue 5f9ea0, chartreuse 7fff00, chocolate d2691e, coral ff7f50,
cornflower blue 6495ed, cornsilk fff8dc, crimson dc143c, cyan 00ffff, dark blue 00008b, dark cyan 008b8b, dark golden rod b8860b, dark gray a9a9a9,
dark green 006400, dark khaki bdb76b, dark magenta 8b008b, dark olive green 556b2f, dark orange ff8c00, dark orchid 9932cc, dark red 8b0000, dark salmon e9967a,
dark sea green 8fbc8f, dark slate blue 483d8b, dark slate gray 2f4f4f, dark turquoise 00ced1, dark violet 9400d3, deep pink ff1493, deep sky blue 00bfff,
dim gray 696969, dodger blue 1e90ff, fire brick b22222, floral white fffaf0, forest green 228b22, fuchsia ff00ff, gainsboro dcdcdc, ghost white f8f8ff,
gold ffd700, golden rod daa520, gray 808080, green 008000, green yellow adff2f, honeydew f0fff0, hot pink ff69b4, indian red cd5c5c, indigo 4b0082, ivory fffff0,
khaki f0e68c, lavender e6e6fa, lavender blush fff0f5, lawn green 7cfc00, lemon chiffon fffacd, light blue add8e6, light coral f08080, light cyan e0ffff,
light golden rod yellow fafad2, light gray d3d3d3, light green 90ee90, light pink ffb6c1, light salmon ffa07a, light sea green 20b2aa, light sky blue 87cefa,
light slate gray 778899, light steel blue b0c4de, light yellow ffffe0, lime 00ff00, lime green 32cd32, linen faf0e6, magenta ff00ff, maroon 800000,
medium aquamarine 66cdaa, medium blue 0000cd, medium orchid ba55d3, medium purple 9370db, medium sea green 3cb371, medium slate blue 7b68ee,
medium spring green 00fa9a, medium turquoise 48d1cc, medium violet red c71585, midnight blue 191970, mint cream f5fffa, misty rose ffe4e1, moccasin ffe4b5,
navajo white ffdead, navy 000080, old lace fdf5e6, olive 808000, olive drab 6b8e23, orange ffa500, orange red ff4500, orchid da70d6, pale golden rod eee8aa,
pale green 98fb98, pale turquoise afeeee, pale violet red db7093, papaya whip ffefd5, peach puff ffdab9, peru cd853f, pink ffc0cb, plum dda0dd, powder blue b0e0e6,
purple 800080, rebecca purple 663399, red ff0000, rosy brown bc8f8f, royal blue 4169e1, saddle brown 8b4513, salmon fa8072, sandy brown f4a460, sea green 2e8b57,
sea shell fff5ee, sienna a0522d, silver c0c0c0, sky blue 87ceeb, slate blue 6a5acd, slate gray 708090, snow fffafa, spring green 00ff7f, steel blue 4682b4,
tan d2b48c, teal 008080, thistle d8bfd8, tomato ff6347, turquoise 40e0d0, violet ee82ee, wheat f5deb3, white ffffff, white smoke f5f5f5, yellow ffff00,
yellow green 9acd32`

const EVERYDAY_NAMES = `rose e11d63, mint 3eb489, emerald 50c878, jade 00a86b, amber ffbf00, mustard e1ad01, rust b7410e, copper b87333, bronze cd7f32, burgundy 800020,
wine 722f37, cherry d2042d, ruby e0115f, scarlet ff2400, vermilion e34234, brick cb4154, terracotta e2725b, apricot fbceb1, peach ffb07c, sand c2b280, cream fffdd0,
vanilla f3e5ab, caramel c68e17, coffee 6f4e37, mauve e0b0ff, lilac c8a2c8, grape 6f2da8, aubergine 614051, eggplant 614051, amethyst 9966cc, periwinkle ccccff,
cobalt 0047ab, sapphire 0f52ba, denim 1560bd, petrol 005f6a, cerulean 007ba7, ice blue d6ecef, baby blue 89cff0, baby pink f4c2c2, electric blue 2c75ff,
moss 8a9a5b, sage 9caf88, pistachio 93c572, fern 4f7942, pine 01796f, lemon fff44f, canary ffef00, charcoal 36454f, graphite 41424c, anthracite 383e42, ash b2beb5,
pearl eae0c8, blood red 8a0303, cherry red d2042d, brick red cb4154, apple green 8db600, mint green 98ff98, grass green 4c9a2a, moss green 8a9a5b, bottle green 006a4e,
ocean blue 0077be, navy blue 000080, golden ffd700, purplish blue 6a5acd, blueish green 0d98ba, bluish green 0d98ba, blue green 0d98ba, greenish blue 0d98ba,
rose gold b76e79, old rose c08081, champagne f7e7ce, taupe 483c32, ochre cc7722, raspberry e30b5c, strawberry fc5a8d, blueberry 4f86f7, tangerine f28500, pumpkin ff7518`

/** How a word before a colour changes it: towards black or white, by how much. */
const SHADES: Readonly<Record<string, { readonly towards: number; readonly by: number }>> = {
  dark: { towards: 0, by: 0.4 },
  darker: { towards: 0, by: 0.4 },
  deep: { towards: 0, by: 0.3 },
  light: { towards: 255, by: 0.45 },
  lighter: { towards: 255, by: 0.45 },
  pale: { towards: 255, by: 0.6 },
  pastel: { towards: 255, by: 0.55 },
  soft: { towards: 255, by: 0.35 },
  bright: { towards: 255, by: 0 },
  vivid: { towards: 255, by: 0 },
}

const NAMED: ReadonlyMap<string, string> = nameColours()

/** Every phrase that names a colour. */
export function colourNames(): string[] {
  return [...NAMED.keys()]
}

/** `#rrggbb` for a name or a hex value as people write them, or null for what is no colour. */
export function colourOf(text: string): string | null {
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
  const hex = /^#?(?:([0-9a-f]{6})|([0-9a-f]{3}))$/.exec(plain)
  if (hex !== null) return `#${hex[1] ?? hex[2]!.replaceAll(/./g, '$&$&')}`
  return NAMED.get(plain) ?? null
}

function nameColours(): Map<string, string> {
  const bases = [...CSS_NAMES.split(/,\s+/), ...EVERYDAY_NAMES.split(/,\s+/)].map((entry) => {
    const at = entry.lastIndexOf(' ')
    return { name: entry.slice(0, at), colour: `#${entry.slice(at + 1)}` }
  })
  const named = new Map<string, string>()
  const give = (name: string, colour: string) => {
    for (const spelt of [name, name.replace('gray', 'grey')])
      for (const phrase of [spelt, spelt.replaceAll(' ', '')]) if (!named.has(phrase)) named.set(phrase, colour)
  }
  for (const { name, colour } of bases) give(name, colour)
  for (const { name, colour } of bases)
    if (!/^(dark|light|pale|deep) /.test(name))
      for (const shade of Object.keys(SHADES)) give(`${shade} ${name}`, shaded(colour, SHADES[shade]!))
  return named
}

function shaded(colour: string, { towards, by }: { towards: number; by: number }): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return `#${channels
    .map((channel) =>
      Math.round(channel + (towards - channel) * by)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}
