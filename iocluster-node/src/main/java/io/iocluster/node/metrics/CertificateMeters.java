package io.iocluster.node.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.node.config.NodeSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the expiry of the certificates that a node or a door presents to its clients, to targets, RabbitMQ, the shared cache and Consul.
 * Reads their PEM files again after each change of the configuration or of a file. Thread-safe.
 */
public final class CertificateMeters implements MeterBinder {

    private static final Logger LOG = LoggerFactory.getLogger(CertificateMeters.class);

    @GuardedBy("this")
    private Set<Path> files;

    @GuardedBy("this")
    private MultiGauge expiries;

    /**
     * Creates the meters.
     *
     * @param files from {@link #files}
     */
    public CertificateMeters(Set<Path> files) {
        this.files = Set.copyOf(files);
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        expiries = MultiGauge.builder("iocluster.certificate.not.after.seconds")
                .description("When the certificate in this file expires, in seconds since 1970")
                .register(registry);
        read();
    }

    /** Replaces the files, and reads them at once. */
    public synchronized void update(Set<Path> next) {
        files = Set.copyOf(next);
        read();
    }

    @GuardedBy("this")
    private void read() {
        List<Row<Number>> rows = new ArrayList<>();
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file)) {
                // The certificates of the authorities follow that of the node.
                X509Certificate own = (X509Certificate)
                        CertificateFactory.getInstance("X.509").generateCertificate(in);
                long notAfter = own.getNotAfter().toInstant().getEpochSecond();
                rows.add(Row.of(Tags.of("file", file.toString()), notAfter));
            } catch (IOException | CertificateException unreadable) {
                LOG.warn("Certificate unreadable; expiry unknown file={} error={}", file, unreadable.getMessage());
            }
        }
        expiries.register(rows, true);
    }

    /** Returns the files that hold the node's own certificates. */
    public static Set<Path> files(NodeSettings settings) {
        Stream<String> targets = Stream.concat(
                Stream.of(settings.destinationDefaults().tls().certificate()),
                settings.destinations().stream().map(each -> each.policy().tls().certificate()));
        Stream<String> others = Stream.of(
                settings.admin().tls().certificate(),
                settings.rabbit().tls().certificate(),
                settings.sharedCache().redis().tls().certificate(),
                settings.config().consul().tls().certificate());
        return paths(Stream.concat(targets, others));
    }

    /** Returns the files that hold the certificates that a door presents to its callers and to Consul. */
    public static Set<Path> filesOfDoor(NodeSettings settings) {
        return paths(Stream.of(
                settings.door().tls().certificate(),
                settings.config().consul().tls().certificate()));
    }

    private static Set<Path> paths(Stream<String> names) {
        return names.filter(name -> !name.isEmpty()).map(Path::of).collect(Collectors.toCollection(TreeSet::new));
    }
}
