package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.pkitesting.CertificateBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateMetersTest {

    private static final String NAME = "iocluster.certificate.not.after.seconds";
    private static final Instant END = Instant.parse("2049-01-01T00:00:00Z");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @TempDir
    Path folder;

    @Test
    void showsWhenACertificateExpiresAndFollowsARenewedFile() throws Exception {
        Path file = certificate(END);
        CertificateMeters meters = new CertificateMeters(Set.of(file));
        meters.bindTo(registry);
        assertThat(expiry(file)).isEqualTo(END.getEpochSecond());

        certificate(END.plusSeconds(3_600));
        meters.update(Set.of(file));

        assertThat(expiry(file)).isEqualTo(END.plusSeconds(3_600).getEpochSecond());
    }

    @Test
    void anUnreadableFileHasNoSeries() throws Exception {
        Path file = Files.writeString(folder.resolve("broken.pem"), "broken");
        CertificateMeters meters = new CertificateMeters(Set.of(file, folder.resolve("missing.pem")));

        meters.bindTo(registry);

        assertThat(registry.find(NAME).gauges()).isEmpty();
    }

    private double expiry(Path file) {
        return registry.get(NAME).tag("file", file.toString()).gauge().value();
    }

    private Path certificate(Instant notAfter) throws Exception {
        String pem = new CertificateBuilder()
                .ecp256()
                .subject("CN=node")
                .notAfter(notAfter)
                .setIsCertificateAuthority(true)
                .buildSelfSigned()
                .getCertificatePEM();
        return Files.writeString(folder.resolve("node.pem"), pem);
    }
}
