package io.iocluster.egress;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.ErrorCode;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which texts are URLs, through a policy that allows most of them and remembers the origins that it has parsed. */
class UrlParserTest {

    private final EgressPolicy policy = new EgressPolicy(EgressSettings.DEFAULTS);

    @ParameterizedTest
    @ValueSource(
            strings = {"file:///etc/passwd", "ftp://h.example", "gopher://h.example", "ws://h.example/", "url:http://h/"
            })
    void rejectsOtherSchemes(String url) {
        assertThat(rejection(url)).isEqualTo(ErrorCode.SCHEME_NOT_ALLOWED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ":",
                "://h/",
                "http:",
                "http://",
                "http:/h/",
                "//h/x",
                "/x",
                "h/x",
                "http:///h",
                "http://?x",
                "http://#x",
                " http://h/",
                "http ://h/",
                "1http://h/",
                "http://evil.example\\@127.0.0.1/",
                "http://evil.example\\.h/",
                "http:\\\\h/",
                "http://a@b@127.0.0.1/",
                "http://u:p@h.example/",
                "http://@h.example/",
                "http://h.example:0/",
                "http://h.example:99999/",
                "http://h.example:65536/",
                "http://h.example:+80/",
                "http://h.example:-1/",
                "http://h.example:80:90/",
                "http://h.example:/",
                "http://h.example:080/",
                "http://h.example:8 0/",
                "http://h.example:٨٠/",
                "http://h\r.example/",
                "http://h\n.example/",
                "http://h\t.example/",
                "http://h\0.example/",
                "http://h .example/",
                "http://h.example/a\rb",
                "http://h.example/a\nb",
                "http://h.example/a\tb",
                "http://h.example/a\0b",
                "http://h.example/a b",
                "http://h.example/a?b\rc",
                "http://h.example/a?b\nc",
                "http://h.example/a?b\tc",
                "http://h.example/a?b\0c",
                "http://h.example/a?b c",
                "http://h.example/a#b c",
                "http://h.example/a#b#c",
                "http://h.example/\\evil",
                "http://h.example/a%",
                "http://h.example/a%4",
                "http://h.example/a%zz",
                "http://h.example/a%4?b",
                "http://h.example/ä",
                "http://h.example/a[b",
                "http://h.example/{a}",
                "http://%31%32%37.0.0.1/",
                "http://h%00.evil.example/",
                "http://h%2eexample/",
                "http://127。0。0。1/",
                "http://127．0．0．1/",
                "http://127｡0｡0｡1/",
                "http://h．example/",
                "http://１２７.0.0.1/",
                "http://ｅvil.example/",
                "http://ⓔvil.example/",
                "http://a\u00adb.example/",
                "http://2130706433/",
                "http://127.1/",
                "http://127.0.1/",
                "http://0177.0.0.1/",
                "http://0x7f.0.0.1/",
                "http://0x7f000001/",
                "http://127.0.0.0x1/",
                "http://0/",
                "http://00.0.0.0/",
                "http://256.0.0.1/",
                "http://1.2.3.4.5/",
                "http://h.1/",
                "http://h..example/",
                "http://.h.example/",
                "http://h.example../",
                "http://./",
                "http://-h.example/",
                "http://h-.example/",
                "http://h_h.example/",
                "http://h,example/",
                "http://[::1/",
                "http://::1/",
                "http://[::1]x/",
                "http://[]/",
                "http://[127.0.0.1]/",
                "http://[fe80::1%25eth0]/",
                "http://[fe80::1%eth0]/",
                "http://[[::1]]/",
                "http://[::1]@h.example/"
            })
    void rejectsAmbiguousUrls(String url) {
        assertThat(rejection(url)).isEqualTo(ErrorCode.INVALID_URL);
    }

    @ParameterizedTest
    @CsvSource({
        "http://h.example,http,h.example,80,/",
        "HTTP://H.Example/,http,h.example,80,/",
        "https://h.example,https,h.example,443,/",
        "https://h.example:80/,https,h.example,80,/",
        "http://h.example./a,http,h.example,80,/a",
        "http://h.example?a=b,http,h.example,80,/?a=b",
        "http://h.example#a,http,h.example,80,/",
        "http://h.example/a/../b;c=d?e=f&g[h]=%20%0a#i/j?k,http,h.example,80,/a/../b;c=d?e=f&g[h]=%20%0a",
        "http://h.example//evil.example/,http,h.example,80,//evil.example/",
        "http://h.example/a@b:c,http,h.example,80,/a@b:c",
        "http://bücher.example/,http,xn--bcher-kva.example,80,/",
        "http://BÜCHER.example/,http,xn--bcher-kva.example,80,/",
        "http://xn--bcher-kva.example/,http,xn--bcher-kva.example,80,/",
        "http://straße.example/,http,xn--strae-oqa.example,80,/",
        "http://1.1.1.1/,http,1.1.1.1,80,/",
        "http://1.1.1.1./,http,1.1.1.1,80,/",
        "http://[2606:4700:4700:0::1111]/,http,2606:4700:4700::1111,80,/",
        "http://[2606:4700:4700::1111]:443/,http,2606:4700:4700::1111,443,/",
        "http://[::ffff:1.1.1.1]/,http,1.1.1.1,80,/",
        "http://localhost./,http,localhost,80,/"
    })
    void returnsUrlsInCanonicalForm(String url, String scheme, String host, int port, String pathAndQuery) {
        assertThat(policy.checkUrl(url)).isEqualTo(new TargetUrl(scheme, host, port, pathAndQuery));
        assertThat(policy.checkUrl(url)).as("once more").isEqualTo(new TargetUrl(scheme, host, port, pathAndQuery));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://h.example",
                "https://h.example/a/b?c=d",
                "http://a.b-c.h2.example/x:y@z;p=1?q=/?[]",
                "http://1.1.1.1/a",
                "https://[2606:4700:4700::1111]/~a'(b)*!$&+,;=",
                "http://h.example/%7B%20%7D?%41"
            })
    void parsesUrlsLikeTheJdk(String url) {
        TargetUrl target = (TargetUrl) policy.checkUrl(url);

        URI uri = URI.create(url);
        String rest = (uri.getRawPath().isEmpty() ? "/" : uri.getRawPath())
                + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
        assertThat(target.origin().hostInUrl()).isEqualTo(uri.getHost());
        assertThat(target.pathAndQuery()).isEqualTo(rest);
    }

    @Test
    void rejectsAUrlThatIsTooLong() {
        String maxLengthUrl = "http://h.example/" + "a".repeat(8 * 1024 - 17);
        assertThat(policy.checkUrl(maxLengthUrl)).isInstanceOf(TargetUrl.class);
        assertThat(rejection(maxLengthUrl + "a")).isEqualTo(ErrorCode.INVALID_URL);
        assertThat(rejection("http://" + "a".repeat(64) + ".example/")).isEqualTo(ErrorCode.INVALID_URL);
        assertThat(rejection("http://" + "abcdefg.".repeat(32) + "example/")).isEqualTo(ErrorCode.INVALID_URL);
    }

    private ErrorCode rejection(String url) {
        UrlCheckResult first = policy.checkUrl(url);
        assertThat(first).isInstanceOf(Rejection.class);
        assertThat(policy.checkUrl(url)).as("once more").isEqualTo(first);
        return ((Rejection) first).code();
    }
}
