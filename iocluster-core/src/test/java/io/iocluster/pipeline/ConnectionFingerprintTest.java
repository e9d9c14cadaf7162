package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.http.TlsSettings;
import io.iocluster.testkit.record.RecordCopy;
import io.netty.pkitesting.CertificateBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionFingerprintTest {

    @TempDir
    Path folder;

    @Test
    void changesWhenTheContentOfAFileChanges() throws Exception {
        Path authorities = Files.writeString(folder.resolve("ca.pem"), certificate());
        PipelineSettings settings = trusting(authorities.toString());
        ConnectionFingerprint before = ConnectionFingerprint.of(settings);
        assertThat(ConnectionFingerprint.of(settings)).isEqualTo(before);

        Files.writeString(authorities, certificate());

        assertThat(ConnectionFingerprint.of(settings)).isNotEqualTo(before);
    }

    @Test
    void changesWhenTheConnectionSettingsOfADestinationChange() throws Exception {
        Path authorities = Files.writeString(folder.resolve("ca.pem"), certificate());

        assertThat(ConnectionFingerprint.of(trusting(authorities.toString())))
                .isNotEqualTo(ConnectionFingerprint.of(trusting("")));
    }

    @Test
    void changesWhenTheIdleTimeoutChanges() {
        PipelineSettings settings = trusting("");

        assertThat(ConnectionFingerprint.of(with(settings, 10, Duration.ofSeconds(1))))
                .isNotEqualTo(ConnectionFingerprint.of(with(settings, 10, Duration.ofSeconds(2))));
    }

    @Test
    void staysTheSameWhenOnlyCallLimitsChange() {
        PipelineSettings settings = trusting("");

        assertThat(ConnectionFingerprint.of(with(settings, 10, Duration.ofSeconds(1))))
                .isEqualTo(ConnectionFingerprint.of(with(settings, 20, Duration.ofSeconds(1))));
    }

    private static PipelineSettings with(PipelineSettings settings, long maxRequestBody, Duration keepAlive) {
        return RecordCopy.with(settings, "http", TestPipelines.http(maxRequestBody, keepAlive));
    }

    private static PipelineSettings trusting(String authorities) {
        DestinationPolicy defaults = DestinationPolicy.DEFAULTS;
        DestinationPolicy policy = RecordCopy.with(defaults, "tls", new TlsSettings(authorities, "", "", ""));
        return TestPipelines.settings(
                WorkerSettings.DEFAULTS, defaults, new DestinationSettings(List.of("a.example"), "", policy));
    }

    private static String certificate() throws Exception {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned()
                .getCertificatePEM();
    }
}
