/** The ASCII letters of a text in lower case, all others as they are: how e-mail addresses are compared. */
export const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
