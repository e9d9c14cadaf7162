package io.iocluster.credential.signature;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests signatures against a verifier that reproduces the vectors of AWS's test suite. The signer itself cannot, because it also signs
 * {@code x-amz-content-sha256}, which they do not have.
 */
class AwsSignerTest {

    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
    private static final Instant TIME = Instant.parse("2015-08-30T12:36:00Z");
    private static final String UNRESERVED = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "get-vanilla | GET | / | '' | '' | 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
                "post-vanilla | POST | / | '' | '' | 5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
                "get-vanilla-query-order-key-case | GET | /?Param2=value2&Param1=value1 | '' | '' |"
                        + " b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
                "get-unreserved | GET | /" + UNRESERVED + " | '' | '' |"
                        + " 07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
                "get-vanilla-query-unreserved | GET | /?" + UNRESERVED + "=" + UNRESERVED + " | '' | '' |"
                        + " 9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197",
                "get-vanilla-utf8-query | GET | /?%E1%88%B4=bar | '' | '' |"
                        + " 2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04",
                "post-x-www-form-urlencoded | POST | / | Content-Type: application/x-www-form-urlencoded | Param1=value1 |"
                        + " ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
                "get-header-key-duplicate | GET | / | My-Header1: value2;My-Header1: value2;My-Header1: value1 | '' |"
                        + " c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea",
                "get-header-value-trim | GET | / | My-Header1:  value1;My-Header2: \"a   b   c\" | '' |"
                        + " acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"
            })
    void theVerifierReproducesTheVectorsOfAws(
            String name, String method, String target, String headers, String body, String signature) throws Exception {
        List<String> lines = new ArrayList<>(List.of("Host: example.amazonaws.com", "X-Amz-Date: 20150830T123600Z"));
        lines.addAll(headers.isEmpty() ? List.of() : List.of(headers.split(";")));
        String signed = lines.stream()
                .map(line -> line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT))
                .distinct()
                .sorted()
                .collect(Collectors.joining(";"));
        String wire = method + " " + target + " HTTP/1.1\r\n" + String.join("\r\n", lines) + "\r\n\r\n" + body;

        assertThat(SigV4Verifier.signature(wire, SECRET, "20150830/us-east-1/service/aws4_request", signed))
                .isEqualTo(signature);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "service | / | /",
                "service | /?Param2=value2&Param1=value1 | /?Param2=value2&Param1=value1",
                "service | /?a=2&b=1&a=1&a=10 | /?a=2&b=1&a=1&a=10",
                "service | /?acl&empty= | /?acl&empty=",
                "service | /?a=x+y&b=x%2By&c=x%20y | /?a=x%20y&b=x%2By&c=x%20y",
                "service | /?a=b=c;d:e/f?g&&%61=1 | /?a=b%3Dc%3Bd%3Ae%2Ff%3Fg&a=1",
                "service | /a:b/c%2fd/%7e(x)+y?%e1%88%b4=bar | /a%3Ab/c%2Fd/~%28x%29%2By?%E1%88%B4=bar",
                "s3 | /a:b/c%2fd/%7e(x)+y//z | /a%3Ab/c%2Fd/~%28x%29%2By//z",
                "s3 | /key%FF | /key%FF"
            })
    void signsTheUrlThatItSends(String service, String url, String sent) throws Exception {
        HttpRequest signed = signer(service, "").sign(request(url, "body"), TIME);

        assertThat(signed.url().pathAndQuery()).isEqualTo(sent);
        assertThat(SigV4Verifier.isValid(wire(signed), SECRET)).isTrue();
        assertThat(SigV4Verifier.isValid(wire(signed).replace("body", "tampered"), SECRET))
                .isFalse();
    }

    @Test
    void signsEveryHeaderThatProxiesDoNotChange() throws Exception {
        HttpRequest request = request(
                "/",
                "body",
                new Header("X-Amz-Target", "A.B"),
                new Header("my-header", "a   b"),
                new Header("My-Header", "c "),
                new Header("X-Name", "Zoë"),
                new Header("traceparent", "00-1"));

        HttpRequest signed = signer("service", "token").sign(request, TIME);

        assertThat(header(signed, "Authorization"))
                .startsWith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,"
                        + " SignedHeaders=host;my-header;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-amz-target,"
                        + " Signature=");
        assertThat(header(signed, "X-Amz-Date")).isEqualTo("20150830T123600Z");
        assertThat(header(signed, "X-Amz-Security-Token")).isEqualTo("token");
        assertThat(SigV4Verifier.isValid(wire(signed), SECRET)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "/?X-Amz-Signature=1, the URL has a parameter of an AWS signature; remove it because the credential signs the call",
        "/?a=1&%78-amz-date=1, the URL has a parameter of an AWS signature; remove it because the credential signs the call",
        "/?a=%FF, a parameter of the URL is not UTF-8 and cannot be signed for AWS"
    })
    void rejectsAUrlThatCannotBeSigned(String url, String message) {
        assertThat(signer("service", "").check(request(url, ""))).hasValueSatisfying(rejection -> {
            assertThat(rejection.code()).isEqualTo(ErrorCode.INVALID_URL);
            assertThat(rejection.message()).isEqualTo(message);
        });
        assertThat(signer("service", "").check(request("/?a=%C3%A4", ""))).isEmpty();
    }

    private static AwsSigner signer(String service, String sessionToken) {
        return new AwsSigner(new AwsSigV4Settings("AKIDEXAMPLE", SECRET, sessionToken, "us-east-1", service));
    }

    private static HttpRequest request(String pathAndQuery, String body, Header... headers) {
        return new HttpRequest(
                "POST",
                new TargetUrl("https", "example.amazonaws.com", 443, pathAndQuery),
                List.of(headers),
                body.getBytes(StandardCharsets.UTF_8),
                "a",
                "call-1",
                null,
                null);
    }

    private static String header(HttpRequest request, String name) {
        return request.headers().stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(Header::value)
                .findFirst()
                .orElse(null);
    }

    private static String wire(HttpRequest request) {
        String headers = request.headers().stream()
                .map(header -> header.name() + ": " + header.value() + "\r\n")
                .collect(Collectors.joining());
        return request.method() + " " + request.url().pathAndQuery() + " HTTP/1.1\r\nHost: "
                + request.url().origin().authority() + "\r\n" + headers + "\r\n"
                + new String(request.body(), StandardCharsets.ISO_8859_1);
    }
}
