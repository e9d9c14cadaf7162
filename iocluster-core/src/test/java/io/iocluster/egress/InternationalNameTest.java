package io.iocluster.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names beyond ASCII are those that a browser looks up, or no names at all. */
class InternationalNameTest {

    private final EgressPolicy policy = new EgressPolicy(EgressSettings.DEFAULTS);

    @ParameterizedTest
    @CsvSource({
        // The four characters that IDNA 2003 maps to other names or drops.
        "βόλος.test, xn--nxasmm1c.test",
        "βόλοσ.test, xn--nxasmq6b.test",
        "ΒΌΛΟΣ.test, xn--nxasmq6b.test",
        "faß.de, xn--fa-hia.de",
        "FAẞ.de, xn--fa-hia.de",
        "straße.example, xn--strae-oqa.example",
        "weiß-grün.example, xn--wei-grn-2va8x.example",
        "ßß.example, xn--zcaa.example",
        "ς.example, xn--3xa.example",
        "نامه\u200cای.example, xn--mgba3gch31f060k.example",
        "نامهای.example, xn--mgba3gch31f.example",
        "क्\u200dष.example, xn--11b2ezcw70k.example",
        "क्\u200cष.example, xn--11b2ezcs70k.example",
        "ශ්\u200dරී.example, xn--10cl1a0b660p.example",
        // Mapped and normalised.
        "bücher.example, xn--bcher-kva.example",
        "BÜCHER.Example, xn--bcher-kva.example",
        "bu\u0308cher.example, xn--bcher-kva.example",
        "ｂücher.example, xn--bcher-kva.example",
        "bü\u00adcher.example, xn--bcher-kva.example",
        "ﬁü.example, xn--fi-yka.example",
        "Ω.example, xn--bya.example",
        "İstanbul.example, xn--istanbul-o0e.example",
        "ıstanbul.example, xn--stanbul-qfb.example",
        // Scripts, symbols, right to left.
        "日本語.example, xn--wgv71a119e.example",
        "例子.测试, xn--fsqu00a.xn--0zwm56d",
        "пример.испытание, xn--e1afmkfd.xn--80akhbyknj4f",
        "مثال.إختبار, xn--mgbh0fb.xn--kgbechtv",
        "אבג.example, xn--4dbcd.example",
        "א1.example, xn--1-zhc.example",
        "१२.example, xn--e4bc.example",
        "☃.example, xn--n3h.example",
        "☃\ufe0f.example, xn--n3h.example",
        "💩.example, xn--ls8h.example",
        "l·l.example, xn--ll-0ea.example",
        "ab--ü.example, xn--ab---3ra.example",
        // As the producer encoded them.
        "xn--nxasmm1c.test, xn--nxasmm1c.test",
        "xn--nxasmq6b.test, xn--nxasmq6b.test",
        "XN--FA-HIA.DE, xn--fa-hia.de",
        "xn--mgba3gch31f060k.example, xn--mgba3gch31f060k.example",
        "тест.xn--p1ai, xn--e1aybc.xn--p1ai",
        "xn--ls8h.example, xn--ls8h.example",
        // Trailing dot, and hyphens that mean nothing.
        "ü.example., xn--tda.example",
        "r3---sn.example, r3---sn.example"
    })
    void convertsANameToWhatABrowserLooksUp(String name, String expected) {
        assertThat(host(name)).isEqualTo(expected);
        assertThat(host(expected)).as("the converted name").isEqualTo(expected);
        assertThat(new HostPatterns(List.of(name)).matches(expected))
                .as("a configured host is the same name")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Joiners outside of the contexts of CONTEXTJ.
                "a\u200cb.example",
                "a\u200db.example",
                "ü\u200d.example",
                "\u200c.example",
                "\u200d.example",
                "👩\u200d💻.example",
                "xn--1ug.example",
                "xn--0ug.example",
                "xn--ab-j1t.example",
                // Second spellings of ASCII labels and dots.
                "ｅxample.example",
                "ⓔ.example",
                "ﬀ.example",
                "\u212aelvin.example",
                "a\u00adb.example",
                "\u00ad.example",
                "１２７.0.0.1",
                "127。0。0。1",
                "例え。example",
                "例え．example",
                "例え｡example",
                "ü.example。",
                "ü\u2024b.example",
                "⒈ü.example",
                // Labels xn--… that are not the encoding of a valid label.
                "xn--.example",
                "xn--abc-.example",
                "xn--example-.example",
                "xn--abc.example",
                "xn--a.example",
                "xn--a-ecp.ru",
                "xn--0.pt",
                "xn--bcher-kva2.example",
                "xn--strae-oqb9999.example",
                "xn--ü.example",
                "ü.xn--a.example",
                "a.xn--0.pt",
                // Not valid in any label.
                "\u0301a.example",
                "a\ud800.example",
                "ü%.example",
                "ü@b.example",
                "ü b.example",
                "ü_b.example",
                "ü\u2028.example",
                "ü\uff3fb.example",
                "ü⑴.example",
                "-ü.example",
                "ü-.example",
                "ü..example",
                // Directions that are mixed (RFC 5893).
                "אa.example",
                "aא.example",
                "1א.example",
                "א-.example",
                "א.1a.example"
            })
    void rejectsAnAmbiguousName(String name) {
        assertThat(policy.checkUrl("http://" + name + "/")).isInstanceOf(Rejection.class);
        assertThatThrownBy(() -> new HostPatterns(List.of(name))).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "xn--bucher-xyd.example", // decomposed
                "xn--bcher-2pa.example", // an upper-case letter
                "xn--cher-zra77610b.example", // begins with a full-width b
                "xn--qi7c.example", // a full-width e
                "xn--22g.example", // the sign for Ohm
                "xn--fa-64s.de", // a capital sharp s
                "xn--a-vca1v.example", // a soft hyphen
                "xn--tda8860k.example", // a variation selector
                "xn--a-dha8227a.example", // an ideographic full stop
                "xn--.a-wka.example" // a dot
            })
    void rejectsTheEncodingOfALabelThatMapsToAnotherName(String name) {
        rejectsAnAmbiguousName(name);
    }

    @Test
    void limitsTheLengthsOfTheConvertedName() {
        String longestLabel = "ü" + "a".repeat(63 - "xn--".length() - "-eha".length());
        assertThat(host(longestLabel + ".example")).hasSize(63 + ".example".length());
        rejectsAnAmbiguousName(longestLabel + "a.example");
        String label = "ü".repeat(20) + ".";
        assertThat(host(label.repeat(6) + "example")).hasSizeLessThanOrEqualTo(253);
        rejectsAnAmbiguousName(label.repeat(12) + "example");
        rejectsAnAmbiguousName("ü".repeat(4_000));
        rejectsAnAmbiguousName("ü".repeat(700));
        // Each maps to four letters.
        rejectsAnAmbiguousName("\u3300".repeat(500));
        rejectsAnAmbiguousName("\u3300".repeat(180));
        // Decomposed letters are longer than what they are converted to.
        assertThat(host("e\u0323\u0302".repeat(50) + ".example"))
                .startsWith("xn--")
                .hasSizeLessThan(70);
        StringBuilder manyLetters = new StringBuilder();
        for (char c = '\u4e00'; c < '\u5200'; c++) {
            manyLetters.append(c);
        }
        rejectsAnAmbiguousName(manyLetters.substring(0, 1_000));
        rejectsAnAmbiguousName(manyLetters.substring(0, 700));
        rejectsAnAmbiguousName("xn--" + "9".repeat(700));
    }

    private String host(String name) {
        UrlCheckResult result = policy.checkUrl("http://" + name + "/");
        assertThat(result).as(name).isInstanceOf(TargetUrl.class);
        return ((TargetUrl) result).host();
    }
}
