package io.iocluster.node.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.TestStatuses;
import org.junit.jupiter.api.Test;

class ConfigurationJsonTest {

    @Test
    void writesTheErrorsOfARejectedFile() {
        assertThat(ConfigurationJson.of(TestStatuses.REFUSED).toString()).isEqualTo("""
            {"file":"node.yaml","hash":"0123456789ab","differs":true,"applied":2,"refused":1,\
            "lastReload":{"at":"2026-01-02T03:04:05Z","result":"refused",\
            "errors":["workers.threads must be from 0 to 1024: -1"]},\
            "restartNeeded":["kafka.requests.group"]}""");
    }

    @Test
    void writesNullForANodeThatWatchesNoFile() {
        assertThat(ConfigurationJson.of(TestStatuses.NO_FILE).toString()).isEqualTo("""
            {"file":null,"hash":"0123456789ab","differs":false,"applied":0,"refused":0,"lastReload":null,\
            "restartNeeded":[]}""");
    }
}
