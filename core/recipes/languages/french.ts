import { FRENCH_WORDS } from './french-words.ts'
import type { LexiconData } from './language.ts'

/** French, brought into the words that recipes know. */
export const FRENCH: LexiconData = {
  language: 'fr',
  endings: { adjective: ['', 'e', 's', 'es'], verb: ['e', 'er', 'ez', 'es', 'ons'] },
  words: FRENCH_WORDS,
  colours: {
    'red': 'rouge, rouges',
    'green': 'vert*',
    'blue': 'bleu*',
    'yellow': 'jaune, jaunes',
    'orange': 'orange, oranges',
    'purple': 'violet, violette, violets, violettes, mauve, mauves, pourpre',
    'pink': 'rose, roses',
    'brown': 'marron, brun*',
    'grey': 'gris, grise, grises',
    'gold': 'doré, dorée, dorés, dorées',
    'silver': 'argenté, argentée',
    'teal': 'bleu canard, bleu pétrole, sarcelle',
    'turquoise': 'turquoise, turquoises',
    'beige': 'beige, beiges',
    'crimson': 'cramoisi*, carmin',
    'lavender': 'lavande',
    'mint': 'menthe, vert menthe',
    'navy': 'bleu marine, marine',
    'sky blue': 'bleu ciel',
    'olive': 'olive, vert olive',
  },
  shades: { dark: '{} foncé, {} foncée, {} sombre, {} fonce', light: '{} clair, {} claire', pale: '{} pâle' },
  brackets: {},
  final: '',
  heads: '',
  first: { comment: 'how to', est: 'is', aide: 'help' },
  last: {
    'le': 'it',
    'la': 'it',
    'les': 'it',
    'rétablis': 'redo',
    'rétablir': 'redo',
    'restaure': 'redo',
    'refais': 'redo',
    'fais revenir': 'redo',
  },
  manners:
    'merci, donc, maintenant, encore, aussi, s, il, te, vous, plait, stp, svp, ça, ca, le, tout, suite, de, de nouveau',
  ordinary:
    'changé, enlevé, supprimé, ajouté, montrer, monstre, montrée, passé, classe, chasse, passe, basse, baisse, caisse, fonder, fonte, forte, foret, listes, lister, vingt, verre, vers, verte, heureux, heures, leurre, datte, dater, lettre, autres, notre, noter, notée, taches, tache, texture, textile, sombrer, clairon, aidée, aider, idées, rendu, rendre, tendre, prendre, prenant, mettent, metre, mètre, lundis, mardis, ouvrir, couvrir, courses, course, cours, jardin, recette, recettes, voyage, poème, pomme, poisson, boisson, maison, raison, saison, crayon, rayon, police, polices',
  withdrawals: {
    always:
      "laisse tomber, laisse, oublie, oublie ça, peu importe, tant pis, arrête, arrête ça, stop, laisse comme ça, ça ne fait rien, j'ai changé d'avis, abandonne, pas la peine, laisse ça",
    asked: "non, non merci, aucun, aucune, aucun des deux, rien, annule, je ne sais pas, ni l'un ni l'autre, pas ça",
  },
  titles: {
    leading:
      "un, une, des, du, de, d', le, la, les, l', mon, ma, mes, notre, nos, tous, toutes, pour, sur, nouveau, nouvelle, nouvelles",
    trailing: "s'il te plaît, s'il vous plaît, stp, svp, merci, aussi, maintenant, là, ici, dedans",
    listed: 'liste, tâche, course, à faire, à acheter, à lire, à voir, devoirs, objectif, corvée, commissions, cocher',
    generic: 'choses, trucs, tout, notes, pensées, quelque chose',
    timer: 'Minuteur {}',
    usual: { notes: 'Notes', todo: 'À faire', timer: 'Minuteur' },
  },
}
