package io.iocluster.lab.load.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisorTest {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    private Path folder;

    private final FakeMember node = new FakeMember();
    private final List<String> log = new ArrayList<>();

    @Test
    void aDeadProcessStartsAgainAfterTheDelayWithANewProcessIdInItsFile() throws IOException {
        Supervisor supervisor = supervisor();
        assertThat(folder.resolve("node-1.pid")).hasContent("1");

        node.alive = false;
        supervisor.tick(START);
        supervisor.tick(START.plusSeconds(4));
        assertThat(node.restarts).isZero();
        supervisor.tick(START.plusSeconds(5));
        supervisor.tick(START.plusSeconds(6));

        assertThat(node.restarts).isEqualTo(1);
        assertThat(folder.resolve("node-1.pid")).hasContent("2");
        assertThat(log).containsExactly("node-1 ended; it starts again in 5 s", "node-1 started");
    }

    @Test
    void aStartThatFailsIsTriedAgain() throws IOException {
        Supervisor supervisor = supervisor();
        node.alive = false;
        node.failure = "the port is in use";
        supervisor.tick(START);
        supervisor.tick(START.plusSeconds(5));
        assertThat(log).last().asString().endsWith("next try in 5 s: the port is in use");

        node.failure = null;
        supervisor.tick(START.plusSeconds(9));
        assertThat(node.alive).isFalse();
        supervisor.tick(START.plusSeconds(10));

        assertThat(node.alive).isTrue();
    }

    @Test
    void theFilesWithTheProcessIdsDisappearAtTheEnd() throws IOException {
        supervisor().close();

        assertThat(folder).isEmptyDirectory();
    }

    private Supervisor supervisor() throws IOException {
        return new Supervisor(List.of(node), folder, Duration.ofSeconds(5), log::add);
    }

    private static final class FakeMember implements Member {

        private boolean alive = true;
        private int restarts;
        private String failure;

        @Override
        public String name() {
            return "node-1";
        }

        @Override
        public boolean isAlive() {
            return alive;
        }

        @Override
        public long pid() {
            return 1 + restarts;
        }

        @Override
        public void restart() throws IOException {
            if (failure != null) {
                throw new IOException(failure);
            }
            alive = true;
            restarts++;
        }
    }
}
