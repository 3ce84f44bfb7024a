// The words of the host's panel of guests.

import { inPageLanguage } from "./join_words.js";

const WORDS = {
  en: {
    open: (free) => `Guests: ${free} free`,
    title: "Invite guests",
    how: "Show a guest the code of a place. They scan it with their phone’s camera and sit down there.",
    type: "Or open this address and type the code:",
    none: "Every place has its person.",
    who: { open: "free, a robot plays", guest: "a guest", away: "a guest, whose phone sleeps", host: "here" },
    show: (name) => `Show the code of ${name}’s place`,
    back: "Take back",
    sure: (name) => `Really take ${name}’s place from its guest?`,
    close: "Close",
    listen:
      "Who can listen: nothing is encrypted. In a Wi-Fi without a password, anybody nearby can read every phone’s dice and play in its place; in one with a password, whoever has the password can. Invite over a network that you trust.",
  },
  es: {
    open: (free) => `Invitados: ${free} libres`,
    title: "Invitar",
    how: "Muestra a cada invitado el código de un lugar. Lo escanea con la cámara del teléfono y se sienta allí.",
    type: "O abre esta dirección y escribe el código:",
    none: "Cada lugar tiene su persona.",
    who: { open: "libre, juega un robot", guest: "un invitado", away: "un invitado, su teléfono duerme", host: "aquí" },
    show: (name) => `Mostrar el código del lugar ${name}`,
    back: "Tomar",
    sure: (name) => `¿Quitar de verdad el lugar ${name} a su invitado?`,
    close: "Cerrar",
    listen:
      "Quién puede escuchar: nada va cifrado. En una wifi sin contraseña, cualquiera que esté cerca puede leer los dados de cada teléfono y jugar en su lugar; en una con contraseña, quien la tenga. Invita por una red de confianza.",
  },
  fr: {
    open: (free) => `Invités : ${free} places libres`,
    title: "Inviter",
    how: "Montre à chaque invité le code d’une place. Il le scanne avec l’appareil photo du téléphone et s’y assoit.",
    type: "Ou ouvre cette adresse et tape le code :",
    none: "Chaque place a quelqu’un.",
    who: { open: "libre, un robot joue", guest: "un invité", away: "un invité, son téléphone dort", host: "ici" },
    show: (name) => `Afficher le code de la place ${name}`,
    back: "Reprendre",
    sure: (name) => `Vraiment reprendre la place ${name} à son invité ?`,
    close: "Fermer",
    listen:
      "Qui peut écouter : rien n’est chiffré. Sur un Wi-Fi sans mot de passe, n’importe qui à proximité peut lire les dés de chaque téléphone et jouer à sa place ; sur un Wi-Fi avec mot de passe, quiconque le possède. Invite sur un réseau de confiance.",
  },
};

export const partyTexts = () => inPageLanguage(WORDS);
