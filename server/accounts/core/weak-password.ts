import { passwordMinLength } from '#contract/rules.ts';

/** What strangers may know about a person, which therefore adds nothing to a password. */
export type KnownAboutPerson = { readonly referralCode?: string; readonly name: string; readonly email: string };

const SHORTEST_WORD = 3;

/**
 * True for passwords that are guessed first: common ones, a repeated or counting character, and those too short without
 * the person's own name, email address and id (docs/product.md, section 8).
 *
 * `isWeakPassword('Password123', person)`; for Anna Berg `isWeakPassword('annaberg2026', person)`, because 4 characters
 * remain and 8 are required. `isWeakPassword('tulip-anna-harbour', person) === false`: 14 remain.
 */
export function isWeakPassword(password: string, person: KnownAboutPerson): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  if (commonPasswords.has(text) || isSeries(text)) return true;
  const known = wordsAbout(person);
  const rest = known.reduce((left, word) => left.replaceAll(word, ''), text);
  return rest.length < Math.min(passwordMinLength, text.length);
}

/** Longest first, so that a whole address is removed before the name inside it. */
function wordsAbout({ referralCode = '', name, email }: KnownAboutPerson): string[] {
  const address = email.normalize('NFKC').toLowerCase();
  const [mailbox = ''] = address.split('@');
  const names = name.normalize('NFKC').toLowerCase().split(/\s+/);
  return [referralCode.toLowerCase(), address, mailbox, ...mailbox.split(/[._-]/), ...names]
    .filter((word) => word.length >= SHORTEST_WORD)
    .sort((a, b) => b.length - a.length);
}

/** `aaaaaaaa`, `12345678`, `hgfedcba`: all steps between neighbours are the same: 0, 1 or −1. */
function isSeries(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  const [step = 2] = steps;
  return steps.size === 1 && Math.abs(step) <= 1;
}

/**
 * The most common leaked passwords of at least eight characters, in lower case. Shorter ones are refused by length, and
 * repeated or counting characters by `isWeakPassword` itself.
 */
const LIST = `
password password1 password12 password123 password1234 password12345 password! password1! password123! passw0rd
passw0rd1 passw0rd! p@ssword p@ssw0rd p@ssw0rd1 p@ssword1 p@ssw0rd123 pa55word pa$$word pa$$w0rd passwort passwort1
contrasena motdepasse mypassword mypassword1 yourpassword newpassword oldpassword thepassword nopassword
changeme changeme1 changeme123 changeit letmein1 letmein123 letmeinnow welcome1 welcome12 welcome123 welcome1!
qwertyui qwertyuiop qwertyuiop123 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty123! qwertyqwerty
qwertz123 qwertzuiop azertyuiop azerty123 asdfghjk asdfghjkl asdfasdf asdf1234 asdf12345 asdfqwer zxcvbnm1 zxcvbnm123
zxcvbnm, zaq12wsx zaq1zaq1 zaq1xsw2 zaq!2wsx !qaz2wsx 1qaz2wsx 1qaz2wsx3edc 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4
q1w2e3r4t5 1qazxsw2 qazwsxedc qazwsx123 qweasdzxc qwe12345 qweqweqwe qwer1234 qwert123 qwert12345 1234qwer 123qweasd
123qwe123 12qwaszx a1b2c3d4 a1s2d3f4 abcd1234 abc12345 abc123456 abcabc123 abcdefg1 abcdefgh1 aa123456 aa12345678
a1234567 a12345678 a123456789 1234abcd 12345abc 123abc123 123456abc 123456ab 12345678a 123456789a 1234567890q
1234567q 12345qwert 123456qwerty 12341234 12121212 11223344 1122334455 112233445566 123123123 123321123 12344321
123454321 1234554321 147258369 147852369 159753159 159357159 789456123 741852963 963852741 987654321 9876543210
0987654321 87654321 88888888 13131313 69696969 10101010 20202020 12345679 123456780 1020304050 102030405060 19841984
20002000 20102010 01012000 01011990 01011980 01020304 31415926 314159265 14141414 21212121 23232323 32323232 99887766
iloveyou iloveyou1 iloveyou2 iloveyou12 iloveyou123 iloveyou! iloveme1 ilovegod iloveu123 loveyou123 loveme123
lovelove lovelove1 mylove123 iloveyousomuch forever1 forever21 sunshine sunshine1 sunshine123 princess princess1
princess12 princess123 princesa baby1234 babygirl babygirl1 babygirl12 football football1 football12 football123
baseball baseball1 basketball basketball1 superman superman1 superman123 batman123 spiderman spiderman1 pokemon1
pokemon123 starwars starwars1 startrek computer computer1 internet internet1 samsung1 samsung123 iphone123 google123
facebook facebook1 linkedin linkedin1 myspace1 youtube123 minecraft minecraft1 fortnite1 roblox123 dragon12 dragon123
master12 master123 mustang1 corvette mercedes mercedes1 ferrari1 porsche1 harley123 yankees1 liverpool liverpool1
liverpool123 chelsea1 chelsea123 arsenal1 arsenal123 barcelona barcelona1 juventus realmadrid manchester manutd123
michael1 michelle jennifer jennifer1 jessica1 jordan23 jordan123 daniel123 charlie1 charlie123 andrew123 thomas123
ashley123 nicole123 anthony1 alexander alexander1 christian christine elizabeth elizabeth1 danielle veronica victoria
victoria1 samantha samantha1 stephanie jonathan benjamin nicholas patricia margaret asdf;lkj monkey12 monkey123
shadow12 shadow123 hunter12 hunter123 killer123 whatever whatever1 trustno1 blink182 snowball snowflake butterfly
butterfly1 chocolate chocolate1 cocacola pepsi123 cheesecake strawberry blueberry rainbow1 rainbows unicorn1 unicorns
diamond1 precious precious1 beautiful beautiful1 gorgeous sweetheart sweetheart1 darling1 bismillah jesus123
jesuschrist godisgood inshallah krishna1 krishna123 ganesha1 jaishriram jaimatadi saibaba1 omsairam india123 india1234
mumbai123 password@1 password@12 password@123 pass@123 pass@1234 pass@word1 pass1234 pass12345 pass123456 admin123
admin1234 admin12345 admin123456 admin@123 admin@1234 administrator administrator1 root1234 rootroot toor1234
test1234 test12345 test123456 testtest testtest1 testing1 testing123 user1234 username guest123 guestguest demo1234
demodemo default1 default123 temp1234 temppass secret123 secret1234 topsecret login123 system123 server123 oracle123
mysql123 manager1 manager123 security security1 bitcoin1 bitcoin123 bitcoins ethereum ethereum1 crypto123 cryptocurrency
dogecoin dogecoin1 blockchain blockchain1 trading1 trading123 trader123 invest123 investment money123 moneymoney
million1 millionaire lovemoney freedom1 freedom123 success1 success123 company1 company123 business business1
summer12 summer123 summer2023 summer2024 summer2025 summer2026 winter12 winter123 winter2023 winter2024 winter2025
winter2026 spring2024 spring2025 spring2026 autumn2024 autumn2025 january1 december december1 november september
monday123 friday123 correcthorsebatterystaple`;

export const commonPasswords: ReadonlySet<string> = new Set(LIST.trim().split(/\s+/));
