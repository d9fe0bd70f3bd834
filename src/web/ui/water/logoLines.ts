/** The lines of the logo in its square of 32 units: water that gathers at its source and widens into a channel. */
export const logoLines = [
  'M26.5 9.2C19 8.6 15.5 11 5.5 10.4',
  'M26.5 9.9C19.5 10 15.5 15.6 5.5 15',
  'M26.5 10.6C20.5 11.4 16 20.4 5.5 19.8',
  'M26.5 11.3C21.5 12.8 17 25.2 5.5 24.6',
]
