package io.iocluster.lab.load.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Starts processes again some time after they have died, as systemd or Kubernetes does. Keeps the process id of each in a file, so
 * that a fault can kill it. Confined to one thread.
 */
final class Supervisor {

    private final List<Member> members;
    private final Path folder;
    private final Duration restartDelay;
    private final Consumer<String> log;
    private final Map<Member, Instant> deadSince = new HashMap<>();

    /**
     * @param folder receives a file {@code NAME.pid} for each member
     * @param restartDelay time from when the end of a process is noticed to its restart
     * @param log receives messages for the user
     */
    Supervisor(List<Member> members, Path folder, Duration restartDelay, Consumer<String> log) throws IOException {
        this.members = List.copyOf(members);
        this.folder = folder;
        this.restartDelay = restartDelay;
        this.log = log;
        for (Member member : members) {
            writePid(member);
        }
    }

    /** Checks each process once. */
    void tick(Instant now) {
        for (Member member : members) {
            if (member.isAlive()) {
                continue;
            }
            Instant since = deadSince.get(member);
            if (since == null) {
                log.accept(member.name() + " ended; it starts again in " + restartDelay.toSeconds() + " s");
                deadSince.put(member, now);
            } else if (!now.isBefore(since.plus(restartDelay))) {
                restart(member, now);
            }
        }
    }

    private void restart(Member member, Instant now) {
        try {
            member.restart();
            writePid(member);
            deadSince.remove(member);
            log.accept(member.name() + " started");
        } catch (IOException | RuntimeException failed) {
            deadSince.put(member, now);
            log.accept(member.name() + " did not start, next try in " + restartDelay.toSeconds() + " s: "
                    + failed.getMessage());
        }
    }

    private void writePid(Member member) throws IOException {
        Path file = folder.resolve(member.name() + ".pid");
        Path written = Files.writeString(folder.resolve(member.name() + ".pid.new"), member.pid() + "\n");
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Removes the files with the process ids. */
    void close() {
        for (Member member : members) {
            try {
                Files.deleteIfExists(folder.resolve(member.name() + ".pid"));
            } catch (IOException kept) {
                log.accept(folder.resolve(member.name() + ".pid") + " cannot be deleted: " + kept.getMessage());
            }
        }
    }
}
