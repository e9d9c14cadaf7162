package io.iocluster.node.tap;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlRedactionTest {

    @ParameterizedTest
    @CsvSource({
        "/p, http://a.example:8080/p",
        "/p?token=s3cr3t&page=2, http://a.example:8080/p?token=***&page=2",
        "/p?page=1&page=2&Page=3, http://a.example:8080/p?page=1&page=2&Page=***",
        "/p?s3cr3t, http://a.example:8080/p?***",
        "/p?a=b=c&&=s3cr3t, http://a.example:8080/p?a=***&***&=***",
        "/p;jsessionid=s3cr3t;v/q;a=b;page=c?page=1, http://a.example:8080/p;jsessionid=***;***/q;a=***;page=***?page=1",
        "/p?a=1?page=2, http://a.example:8080/p?a=***",
    })
    void hidesEveryParameterThatIsNotAllowed(String path, String shown) {
        UrlRedaction urls = new UrlRedaction(List.of("page"));

        assertThat(urls.redact(new TargetUrl("http", "a.example", 8080, path))).isEqualTo(shown);
    }
}
