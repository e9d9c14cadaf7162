package io.iocluster.node.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.audit.AuditLog;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.Overlay;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the reload of a configuration file. The test polls instead of the watcher's thread. */
class ConfigurationWatcherTest {

    private final SettingsLoader<NodeSettings> loader = new SettingsLoader<>(NodeSettings.class, Map.of());
    private final List<NodeSettings> applied = new ArrayList<>();
    private Throwable applyFailure;

    @TempDir
    Path folder;

    private Path file;
    private LiveConfiguration configuration;
    private ConfigurationWatcher watcher;

    @BeforeEach
    void start() throws IOException {
        file = folder.resolve("node.yaml");
        write("workers: {max-in-flight: 50}");
        watch();
        settle();
        applied.clear();
    }

    private void watch() throws IOException {
        configuration = new LiveConfiguration(
                loader.load(file), this::apply, Clock.systemUTC(), new AuditLog(System::nanoTime));
        watcher = new ConfigurationWatcher(file, loader, configuration, Platform.system());
    }

    @AfterEach
    void stop() {
        watcher.close();
    }

    @Test
    void ignoresAnUnchangedFile() {
        settle();

        assertThat(applied).isEmpty();
        assertThat(configuration.status())
                .isEqualTo(new ConfigurationStatus(
                        file,
                        false,
                        0,
                        0,
                        null,
                        List.of(),
                        configuration.status().hash()));
    }

    @Test
    void waitsUntilTheFileIsWritten() throws IOException {
        write("");
        assertThat(watcher.poll()).isFalse();
        write("workers: {max-in-flight: 600}");
        assertThat(watcher.poll()).isFalse();
        assertThat(applied).isEmpty();

        assertThat(watcher.poll()).isTrue();

        assertThat(applied).hasSize(1);
    }

    @Test
    void detectsAChangedSymbolicLink() throws IOException {
        Path old = Files.createDirectory(folder.resolve("old"));
        Path next = Files.createDirectory(folder.resolve("next"));
        Files.writeString(old.resolve("node.yaml"), "workers: {max-in-flight: 50}");
        Files.writeString(next.resolve("node.yaml"), "workers: {max-in-flight: 70}");
        Files.setLastModifiedTime(next.resolve("node.yaml"), Files.getLastModifiedTime(old.resolve("node.yaml")));
        Path data = Files.createSymbolicLink(folder.resolve("data"), old);
        Files.delete(file);
        Files.createSymbolicLink(file, data.resolve("node.yaml"));
        settle();
        assertThat(applied).isEmpty();

        Files.delete(data);
        Files.createSymbolicLink(data, next);
        settle();

        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(70);
    }

    @Test
    void refusesAnInvalidEditAsAWholeAndReportsItOnce() throws IOException {
        write("{workers: {max-in-flight: 0, thread: 1}, http: {timeout: 5s}}");

        settle();
        settle();

        assertThat(applied).isEmpty();
        ConfigurationStatus status = configuration.status();
        assertThat(status.refused()).isEqualTo(1);
        assertThat(status.differs()).isTrue();
        assertThat(status.lastReload().errors())
                .containsExactlyInAnyOrder(
                        "workers.thread is not a known key; did you mean threads?",
                        "workers.max-in-flight must be from 1 to 1000000: 0");
        assertThat(configuration.current().settings().http().timeout()).hasSeconds(10);
    }

    @Test
    void recoversWhenAnInvalidEditIsReverted() throws IOException {
        write("workers: {");
        settle();

        write("workers: {max-in-flight: 50}");
        settle();

        ConfigurationStatus status = configuration.status();
        assertThat(status.differs()).isFalse();
        assertThat(status.lastReload().isRefused()).isFalse();
        assertThat(status.applied()).isEqualTo(1);
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(50);
    }

    @Test
    void appliesARefusedFileWhenTheReferencedFileExists() throws IOException {
        write("credentials: {a: {hosts: [a.example], bearer: \"${file:token}\"}}");
        settle();
        assertThat(configuration.status().lastReload().isRefused()).isTrue();

        Files.writeString(folder.resolve("token"), "s3cr3t");
        settle();

        assertThat(configuration.status().lastReload().isRefused()).isFalse();
        assertThat(configuration.current().settings().credentials()).containsOnlyKeys("a");
    }

    @Test
    void detectsAChangedReferencedFile() throws IOException {
        Files.writeString(folder.resolve("token"), "old");
        write("credentials: {a: {hosts: [a.example], bearer: \"${file:token}\"}}");
        settle();

        Files.writeString(folder.resolve("token"), "new");
        settle();

        assertThat(applied).hasSize(2);
        assertThat(applied.get(1).credentials().get("a").bearer()).isEqualTo("new");
        assertThat(configuration.status().toString()).doesNotContain("old", "new");
    }

    @Test
    void refusesAMissingFile() throws IOException {
        Files.delete(file);

        settle();

        assertThat(configuration.status().lastReload().errors())
                .singleElement()
                .asString()
                .contains("cannot be read");
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(50);
    }

    @Test
    void refusesAnEmptiedFile() throws IOException {
        write("");

        settle();

        assertThat(configuration.status().lastReload().errors()).containsExactly(file + " has become empty");
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(50);
        write("workers: {max-in-flight: 60}");
        settle();
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(60);
        assertThat(configuration.status().differs()).isFalse();
    }

    @Test
    void acceptsAFileThatWasEmptyAtTheStart() throws IOException {
        watcher.close();
        write("");
        watch();

        setOverlay("workers: {max-in-flight: 600}");
        settle();

        assertThat(configuration.status().differs()).isFalse();
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(600);
    }

    @Test
    void reportsTheKeysThatNeedARestart() throws IOException {
        write("{workers: {max-in-flight: 60}, kafka: {requests: {group: other}}}");

        settle();

        assertThat(configuration.status().restartNeeded()).containsExactly("kafka.requests.group");
        assertThat(configuration.status().differs()).isTrue();
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(60);
        assertThat(configuration.current().settings().kafka().requests().group())
                .isEqualTo("iocluster");
        write("workers: {max-in-flight: 60}");
        settle();
        assertThat(configuration.status().differs()).isFalse();
    }

    @Test
    void keepsAResizeUntilTheFileChangesTheWorkers() throws IOException {
        configuration.resize(3, null);
        assertThat(configuration.status().differs()).isTrue();

        write("{workers: {max-in-flight: 50}, http: {timeout: 5s}}");
        settle();
        assertThat(configuration.current().settings().workers().threads()).isEqualTo(3);
        assertThat(configuration.current().settings().http().timeout()).hasSeconds(5);

        write("{workers: {max-in-flight: 60}, http: {timeout: 5s}}");
        settle();
        assertThat(configuration.current().settings().workers().threads()).isZero();
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(60);
        assertThat(configuration.status().differs()).isFalse();
    }

    @Test
    void isInSyncAgainWhenTheFileMatchesTheResize() throws IOException {
        configuration.resize(3, 70);

        write("workers: {threads: 3, max-in-flight: 70}");
        settle();

        assertThat(configuration.status().differs()).isFalse();
        assertThat(configuration.status().applied()).isZero();
    }

    static Stream<Throwable> failures() {
        return Stream.of(new IllegalStateException("not enough memory"), new NoClassDefFoundError("gone"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void keepsItsSettingsUntilTheNodeCanApplyAnEdit(Throwable thrown) throws IOException {
        applyFailure = thrown;
        write("workers: {max-in-flight: 60}");
        settle();

        assertThat(configuration.status().refused()).isEqualTo(1);
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(50);

        applyFailure = null;
        settle();
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(60);
    }

    @Test
    void refusesAnEditWhoseLiveKeysNeedARestart() throws IOException {
        write("cluster: {enabled: false}");
        watch();
        settle();

        write("destination-defaults: {rate: 5/s, rate-per: cluster}");
        settle();

        assertThat(configuration.status().lastReload().errors())
                .containsExactly("destination-defaults.rate-per must not be cluster because cluster.enabled is false");
    }

    private void setOverlay(String yaml) {
        watcher.applyOverlay(Optional.of(new Overlay("the test", yaml, "config.consul")));
    }

    /** Polls until two polls see the same content. */
    private void settle() {
        while (!watcher.poll()) {
            Thread.onSpinWait();
        }
    }

    private void write(String yaml) throws IOException {
        Files.writeString(file, yaml);
    }

    private boolean apply(NodeSettings next) {
        if (applyFailure instanceof Error error) {
            throw error;
        } else if (applyFailure instanceof RuntimeException exception) {
            throw exception;
        }
        boolean changed = !next.equals(configuration.current().settings());
        if (changed) {
            applied.add(next);
        }
        return changed;
    }
}
