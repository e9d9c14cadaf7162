package io.iocluster.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JavaCommandTest {

    private final String before = System.getProperty(JavaCommand.JVM_FLAGS_PROPERTY);
    private final JavaCommand command =
            new JavaCommand("lib/*", List.of("-Xmx1m"), "Main", List.of("a"), Path.of("log"));

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(JavaCommand.JVM_FLAGS_PROPERTY);
        } else {
            System.setProperty(JavaCommand.JVM_FLAGS_PROPERTY, before);
        }
    }

    @Test
    void putsTheCommonFlagsBeforeTheCommandsFlags() {
        System.setProperty(JavaCommand.JVM_FLAGS_PROPERTY, " -Da=1  -Db=2 ");

        assertThat(command.commandLine(List.of())).containsSubsequence("-Da=1", "-Db=2", "-Xmx1m", "-cp", "Main", "a");
    }

    @Test
    void letsTheChildStartItsChildrenWithTheSameFlags() {
        System.setProperty(JavaCommand.JVM_FLAGS_PROPERTY, "-Da=1 -Db=2");

        assertThat(command.commandLine(List.of())).contains("-D" + JavaCommand.JVM_FLAGS_PROPERTY + "=-Da=1 -Db=2");
    }

    @Test
    void aChildOfAChildHasTheSameClassPath() {
        String whole = classPathOf(command);

        assertThat(whole).startsWith("lib/*" + File.pathSeparator);
        assertThat(classPathOf(new JavaCommand(whole, List.of(), "Main", List.of(), Path.of("log"))))
                .isEqualTo(whole);
    }

    private static String classPathOf(JavaCommand command) {
        List<String> commandLine = command.commandLine(List.of());
        return commandLine.get(commandLine.indexOf("-cp") + 1);
    }

    @Test
    void addsNothingIfThereAreNoCommonFlags() {
        System.clearProperty(JavaCommand.JVM_FLAGS_PROPERTY);

        assertThat(command.commandLine(List.of())).doesNotContain("").containsSubsequence("-Xmx1m", "-cp", "Main", "a");
    }
}
