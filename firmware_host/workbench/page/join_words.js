// The words for guests: of the way in, and of a page that has lost the table. They are sent to anybody.

const WORDS = {
  en: {
    title: "Take your place at the table",
    ask: "Scan the code of your place on the host’s screen, or type it here.",
    code: "Code of your place",
    go: "Sit down",
    wait: "One moment …",
    unknown: "No place has this code. Look at it again, or ask the host for the one that is shown now.",
    used: "This code has been used: each is for one phone. Ask the host for a new one.",
    taken: "Somebody sits at this place already. Ask the host for the code of another one.",
    slow: "Too many codes were tried from here. Wait a few seconds, then try again.",
    silent: "The table does not answer. Is this phone in the host’s Wi-Fi?",
    back: "You have no place at the table any more: the host has taken it back. A new code lets you in again.",
    open: "Nothing here is encrypted. In a Wi-Fi without a password, anybody nearby can read your dice.",
    away: "The table is out of reach. Is this phone in the host’s Wi-Fi? This page finds it again by itself.",
  },
  es: {
    title: "Toma tu lugar en la mesa",
    ask: "Escanea el código de tu lugar en la pantalla del anfitrión, o escríbelo aquí.",
    code: "Código de tu lugar",
    go: "Sentarse",
    wait: "Un momento …",
    unknown: "Ningún lugar tiene este código. Míralo otra vez, o pide el que se muestra ahora.",
    used: "Este código ya se usó: cada uno es para un teléfono. Pide uno nuevo al anfitrión.",
    taken: "En este lugar ya hay alguien. Pide el código de otro al anfitrión.",
    slow: "Se probaron demasiados códigos desde aquí. Espera unos segundos y prueba otra vez.",
    silent: "La mesa no responde. ¿Está este teléfono en la wifi del anfitrión?",
    back: "Ya no tienes lugar en la mesa: el anfitrión lo tomó. Con un código nuevo vuelves a entrar.",
    open: "Aquí nada va cifrado. En una wifi sin contraseña, cualquiera que esté cerca puede leer tus dados.",
    away: "La mesa está fuera de alcance. ¿Está este teléfono en la wifi del anfitrión? Esta página la encontrará sola.",
  },
  fr: {
    title: "Prends ta place à la table",
    ask: "Scanne le code de ta place sur l’écran de l’hôte, ou tape-le ici.",
    code: "Code de ta place",
    go: "S’asseoir",
    wait: "Un instant …",
    unknown: "Aucune place n’a ce code. Regarde-le encore, ou demande celui qui est affiché maintenant.",
    used: "Ce code a déjà servi : chacun est pour un seul téléphone. Demandes-en un nouveau à l’hôte.",
    taken: "Quelqu’un est déjà à cette place. Demande à l’hôte le code d’une autre.",
    slow: "Trop de codes ont été essayés d’ici. Attends quelques secondes, puis réessaie.",
    silent: "La table ne répond pas. Ce téléphone est-il sur le Wi-Fi de l’hôte ?",
    back: "Tu n’as plus de place à la table : l’hôte l’a reprise. Un nouveau code te fait revenir.",
    open: "Rien n’est chiffré ici. Sur un Wi-Fi sans mot de passe, n’importe qui à proximité peut lire tes dés.",
    away: "La table est hors d’atteinte. Ce téléphone est-il sur le Wi-Fi de l’hôte ? Cette page la retrouvera seule.",
  },
};

/** The words in the language of the page. */
export const guestTexts = () => inPageLanguage(WORDS);

/** Of words by language those of the page, else the English ones. */
export function inPageLanguage(words) {
  return words[document.documentElement.lang] ?? words.en;
}

/** Gives the page the first language of the browser that there are words in; for a page without a choice of its own. */
export function takeBrowserLanguage() {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  document.documentElement.lang = wanted.find((code) => Object.hasOwn(WORDS, code)) ?? "en";
}
