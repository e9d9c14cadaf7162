package io.iocluster.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.target.TargetMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveIT {

    private static final String ARCHIVED = TargetMain.class.getName() + " source: shared objects file (top)";

    private final String before = System.getProperty(ClassArchive.FOLDER_PROPERTY);

    @TempDir
    private Path folder;

    @BeforeEach
    void turnOn() {
        System.setProperty(
                ClassArchive.FOLDER_PROPERTY, folder.resolve("archives").toString());
    }

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(ClassArchive.FOLDER_PROPERTY);
        } else {
            System.setProperty(ClassArchive.FOLDER_PROPERTY, before);
        }
    }

    @Test
    void oneOfSeveralChildrenWritesAnArchiveThatReplacesEarlierOnesAndThatLaterChildrenUse() throws IOException {
        Path archives = Files.createDirectories(folder.resolve("archives"));
        Path earlier = Files.createFile(archives.resolve(TargetMain.class.getName() + "-earlier.jsa"));
        Path another = Files.createFile(archives.resolve("Another-earlier.jsa"));
        try (JavaProcess first = startTarget("first");
                JavaProcess second = startTarget("second")) {
            assertThat(second.archiveClasses()).isFalse();
            assertThat(target("second").archive().orElseThrow().file()).doesNotExist();
            assertThat(first.archiveClasses()).isTrue();

            assertThat(first.isAlive()).isTrue();
            assertThat(classesOf("first")).doesNotContain(ARCHIVED);
            assertThat(target("first").archive().orElseThrow().file()).exists();
            assertThat(earlier).doesNotExist();
            assertThat(another).exists();
        }
        try (JavaProcess later = startTarget("later")) {
            assertThat(later.isAlive()).isTrue();
            assertThat(classesOf("later")).contains(ARCHIVED);
            assertThat(later.archiveClasses()).isFalse();
        }
    }

    @Test
    void aLaterChildWritesTheArchiveIfTheFirstHasEndedWithoutIt() throws IOException {
        startTarget("first").close();
        ClassArchive archive = target("later").archive().orElseThrow();

        // The end of the first child is noticed soon after it has ended.
        await().untilAsserted(() -> assertThat(archive.tryRecord().stream().peek(ClassArchive.Recording::close))
                .hasSize(1));
        try (JavaProcess later = startTarget("later")) {
            assertThat(later.archiveClasses()).isTrue();
        }
    }

    @Test
    void aChildStartsWithoutAnArchiveThatIsDamaged() throws IOException {
        JavaCommand command = target("damaged");
        Path archive = command.archive().orElseThrow().file();
        Files.createDirectories(archive.getParent());
        Files.writeString(archive, "not an archive");

        try (JavaProcess child = start(command, "damaged")) {
            assertThat(child.isAlive()).isTrue();
            assertThat(classesOf("damaged")).doesNotContain(ARCHIVED);
        }
    }

    @Test
    void aChildRunsOnIfTheArchiveCannotBeWritten() throws IOException {
        Files.writeString(folder.resolve("archives"), "a file where the folder should be");

        try (JavaProcess child = startTarget("child")) {
            child.archiveClasses();

            assertThat(child.isAlive()).isTrue();
        }
    }

    @Test
    void aClassPathWithAFolderHasNoArchive() {
        String jar = JavaCommand.classPathFor(TargetMain.class);

        assertThat(ClassArchive.of("Main", jar)).isPresent();
        assertThat(ClassArchive.of("Main", jar + ":" + folder)).isEmpty();
        assertThat(ClassArchive.of("Main", "lib/*")).isEmpty();
    }

    @Test
    void thereIsNoArchiveUnlessTheBuildAsksForThem() {
        System.clearProperty(ClassArchive.FOLDER_PROPERTY);

        assertThat(target("plain").archive()).isEmpty();
    }

    private JavaProcess startTarget(String name) {
        return start(target(name), name);
    }

    private JavaProcess start(JavaCommand command, String name) {
        JavaProcess process = JavaProcess.start(command);
        await().failFast("the target ended", () -> !process.isAlive())
                .until(() -> Files.exists(folder.resolve(name + ".port")));
        return process;
    }

    private JavaCommand target(String name) {
        return new JavaCommand(
                JavaCommand.classPathFor(TargetMain.class),
                List.of("-Xmx64m", "-Xlog:class+load:file=" + folder.resolve(name + ".classes")),
                TargetMain.class.getName(),
                List.of(
                        "127.0.0.1",
                        "1",
                        "totals",
                        folder.resolve(name + ".port").toString(),
                        "-"),
                folder.resolve(name + ".log"));
    }

    private String classesOf(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".classes"));
    }
}
