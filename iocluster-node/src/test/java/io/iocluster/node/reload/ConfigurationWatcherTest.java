package io.iocluster.node.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.Overlay;
import io.iocluster.node.config.binding.SettingsLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node makes of its file; the test looks in the watch's place. */
class ConfigurationWatcherTest {

    private final SettingsLoader<NodeSettings> loader = new SettingsLoader<>(NodeSettings.class, Map.of());
    private final List<NodeSettings> applied = new ArrayList<>();
    private RuntimeException defect;

    @TempDir
    Path folder;

    private Path file;
    private LiveConfiguration configuration;
    private ConfigurationWatcher watch;

    @BeforeEach
    void start() throws IOException {
        file = folder.resolve("node.yaml");
        write("workers: {max-in-flight: 50}");
        configuration = new LiveConfiguration(loader.load(file), this::apply, Clock.systemUTC());
        watch = new ConfigurationWatcher(file, loader, configuration);
        look();
        applied.clear();
    }

    @AfterEach
    void stop() {
        watch.close();
    }

    @Test
    void saysNothingOfAFileThatIsAsItWas() {
        look();

        assertThat(applied).isEmpty();
        assertThat(configuration.status()).isEqualTo(new ConfigurationStatus(file, false, 0, 0, null, List.of()));
    }

    @Test
    void takesUpWhatTheFileSaysNow() throws IOException {
        write("workers: {max-in-flight: 600, threads: 4}");

        look();

        assertThat(applied).hasSize(1);
        assertThat(applied.get(0).workers().maxInFlight()).isEqualTo(600);
        assertThat(configuration.current().settings().workers().threads()).isEqualTo(4);
        assertThat(configuration.status().applied()).isEqualTo(1);
        assertThat(configuration.status().differs()).isFalse();
    }

    @Test
    void leavesAloneWhatIsBeingWritten() throws IOException {
        write("");
        assertThat(watch.poll()).isFalse();
        write("workers: {max-in-flight: 600}");
        assertThat(watch.poll()).isFalse();
        assertThat(applied).isEmpty();

        assertThat(watch.poll()).isTrue();

        assertThat(applied).hasSize(1);
    }

    @Test
    void seesThatALinkLeadsElsewhere() throws IOException {
        Path old = Files.createDirectory(folder.resolve("old"));
        Path next = Files.createDirectory(folder.resolve("next"));
        Files.writeString(old.resolve("node.yaml"), "workers: {max-in-flight: 50}");
        Files.writeString(next.resolve("node.yaml"), "workers: {max-in-flight: 70}");
        Files.setLastModifiedTime(next.resolve("node.yaml"), Files.getLastModifiedTime(old.resolve("node.yaml")));
        Path data = Files.createSymbolicLink(folder.resolve("data"), old);
        Files.delete(file);
        Files.createSymbolicLink(file, data.resolve("node.yaml"));
        look();
        assertThat(applied).isEmpty();

        Files.delete(data);
        Files.createSymbolicLink(data, next);
        look();

        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(70);
    }

    @Test
    void refusesABrokenEditWholeAndSaysItOnce() throws IOException {
        write("{workers: {max-in-flight: 0, thread: 1}, http: {timeout: 5s}}");

        look();
        look();

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
    void isAsBeforeWhenABrokenEditIsPutBack() throws IOException {
        write("workers: {");
        look();

        write("workers: {max-in-flight: 50}");
        look();

        ConfigurationStatus status = configuration.status();
        assertThat(status.differs()).isFalse();
        assertThat(status.lastReload().isRefused()).isFalse();
        assertThat(status.applied()).isEqualTo(1);
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(50);
    }

    @Test
    void takesUpARefusedFileOnceWhatItNamesIsThere() throws IOException {
        write("credentials: {a: {hosts: [a.example], bearer: \"${file:token}\"}}");
        look();
        assertThat(configuration.status().lastReload().isRefused()).isTrue();

        Files.writeString(folder.resolve("token"), "s3cr3t");
        look();

        assertThat(configuration.status().lastReload().isRefused()).isFalse();
        assertThat(configuration.current().settings().credentials()).containsOnlyKeys("a");
    }

    @Test
    void seesThatAFileWhichItNamesHoldsSomethingElse() throws IOException {
        Files.writeString(folder.resolve("token"), "old");
        write("credentials: {a: {hosts: [a.example], bearer: \"${file:token}\"}}");
        look();

        Files.writeString(folder.resolve("token"), "new");
        look();

        assertThat(applied).hasSize(2);
        assertThat(applied.get(1).credentials().get("a").bearer()).isEqualTo("new");
        assertThat(configuration.status().toString()).doesNotContain("old", "new");
    }

    @Test
    void refusesAFileThatIsGone() throws IOException {
        Files.delete(file);

        look();

        assertThat(configuration.status().lastReload().errors())
                .singleElement()
                .asString()
                .contains("cannot be read");
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(50);
    }

    @Test
    void refusesAFileThatHasBecomeEmpty() throws IOException {
        write("");

        look();

        assertThat(configuration.status().lastReload().errors()).containsExactly(file + " has become empty");
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(50);
        write("workers: {max-in-flight: 60}");
        look();
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(60);
        assertThat(configuration.status().differs()).isFalse();
    }

    @Test
    void followsAFileThatWasEmptyFromTheStart() throws IOException {
        watch.close();
        write("");
        configuration = new LiveConfiguration(loader.load(file), this::apply, Clock.systemUTC());
        watch = new ConfigurationWatcher(file, loader, configuration);

        lay("workers: {max-in-flight: 600}");
        look();

        assertThat(configuration.status().differs()).isFalse();
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(600);
    }

    @Test
    void namesWhatWaitsForTheNextStart() throws IOException {
        write("{workers: {max-in-flight: 60}, kafka: {requests: {group: other}}}");

        look();

        assertThat(configuration.status().restartNeeded()).containsExactly("kafka.requests.group");
        assertThat(configuration.status().differs()).isTrue();
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(60);
        assertThat(configuration.current().settings().kafka().requests().group())
                .isEqualTo("iocluster");
        write("workers: {max-in-flight: 60}");
        look();
        assertThat(configuration.status().differs()).isFalse();
    }

    @Test
    void aResizeHoldsUntilTheFileSaysSomethingElseOfTheWorkers() throws IOException {
        configuration.resize(3, null);
        assertThat(configuration.status().differs()).isTrue();

        write("{workers: {max-in-flight: 50}, http: {timeout: 5s}}");
        look();
        assertThat(configuration.current().settings().workers().threads()).isEqualTo(3);
        assertThat(configuration.current().settings().http().timeout()).hasSeconds(5);

        write("{workers: {max-in-flight: 60}, http: {timeout: 5s}}");
        look();
        assertThat(configuration.current().settings().workers().threads()).isZero();
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(60);
        assertThat(configuration.status().differs()).isFalse();
    }

    @Test
    void nothingDiffersOnceTheFileSaysWhatWasResizedTo() throws IOException {
        configuration.resize(3, 70);

        write("workers: {threads: 3, max-in-flight: 70}");
        look();

        assertThat(configuration.status().differs()).isFalse();
        assertThat(configuration.status().applied()).isZero();
    }

    @Test
    void goesOnAsBeforeWhereTheNodeCannotTakeItUp() throws IOException {
        defect = new IllegalStateException("no room");
        write("workers: {max-in-flight: 60}");

        look();
        assertThat(configuration.status().refused()).isEqualTo(1);
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(50);

        defect = null;
        look();
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(60);
    }

    @Test
    void takesUpWhatIsLaidOverTheFile() throws IOException {
        lay("workers: {max-in-flight: 600}");
        look();
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(600);

        write("{workers: {threads: 3, max-in-flight: 70}}");
        look();
        assertThat(configuration.current().settings().workers().threads()).isEqualTo(3);
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(600);
        assertThat(configuration.status().applied()).isEqualTo(2);
    }

    @Test
    void readsNothingAnewWhereTheSameIsLaidOverAgain() {
        lay("workers: {max-in-flight: 600}");
        look();
        applied.clear();

        lay("workers: {max-in-flight: 600}");
        look();

        assertThat(applied).isEmpty();
        assertThat(configuration.status().applied()).isEqualTo(1);
    }

    @Test
    void goesOnAsBeforeWhereWhatIsLaidOverIsBrokenOrGone() {
        lay("workers: {max-in-flight: 600}");
        look();

        lay("workers: {max-in-flight: 0}");
        look();
        assertThat(configuration.status().lastReload().errors())
                .containsExactly("workers.max-in-flight must be from 1 to 1000000: 0 (in the test)");
        watch.applyOverlay(Optional.empty());
        look();
        assertThat(configuration.status().lastReload().errors())
                .singleElement()
                .asString()
                .contains("any more");
        assertThat(configuration.current().settings().workers().maxInFlight()).isEqualTo(600);

        lay("workers: {max-in-flight: 600}");
        look();
        assertThat(configuration.status().differs()).isFalse();
    }

    private void lay(String yaml) {
        watch.applyOverlay(Optional.of(new Overlay("the test", yaml, "config.consul")));
    }

    /** Until two looks see the same. */
    private void look() {
        while (!watch.poll()) {
            Thread.onSpinWait();
        }
    }

    private void write(String yaml) throws IOException {
        Files.writeString(file, yaml);
    }

    private boolean apply(NodeSettings next) {
        if (defect != null) {
            throw defect;
        }
        boolean changed = !next.equals(configuration.current().settings());
        if (changed) {
            applied.add(next);
        }
        return changed;
    }
}
