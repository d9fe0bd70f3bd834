/** OpenCC's TSCharacters.txt: `丟 丢|並 并`, the first choice of each. The package has types for its converters alone. */
declare module 'opencc-js/dict/TSCharacters' {
  const pairs: string
  export default pairs
}
