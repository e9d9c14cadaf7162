package io.iocluster.lab.bench.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class EnvelopeWriterTest {

    @Test
    void envelopesHaveAbout250Bytes() {
        byte[] envelope = EnvelopeWriter.envelope(1_234, "http://127.0.0.1:40000/ok");

        assertThat(envelope.length).isBetween(230, 290);
        assertThat(new JsonMapper().readTree(envelope).get("url").asString()).isEqualTo("http://127.0.0.1:40000/ok");
    }
}
