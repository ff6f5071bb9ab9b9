/** Words that say nothing of what is sought. A question that has no others is searched by these. */
export const smallWords: readonly string[] = (
  'a about after all also am an and any are as at be because been before but by can cannot could did do does doing for from get gets got had has ' +
  'have how i if in into is it its just long make makes making many may me might more most much must my need needs no not of off on one only or our please should so some ' +
  'somebody somehow someone something such than that the their them then there these they this those through to too until use used using want wants ' +
  'was we were what when where which while who why will with without would you your'
).split(' ');
