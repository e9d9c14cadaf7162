package io.iocluster.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.broker.ConfiguredBrokerAccess;
import io.iocluster.node.cli.Commands;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.thread.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CommandPageTest {

    private static final Path PAGE = Path.of(System.getProperty("basedir", ".")).resolve("../docs/commands.md");

    private static final String INTRODUCTION = """
            # Commands

            <!-- Generated from the help of the commands; `bin/test` fails if it is stale. Update it with
                 mvn -pl iocluster-lab -am test -Dtest=CommandPageTest -Dsurefire.failIfNoSpecifiedTests=false -Dupdate-docs=true -->

            Use `bin/iocluster COMMAND` in a clone, or `iocluster COMMAND` in a distribution or an image. A command writes its
            result to standard output, so that you can pipe it. Progress, errors and the log go to standard error: one line for an
            invalid command line, and one line with the path for each error in a configuration. `IOCLUSTER_JAVA_OPTS` adds JVM
            options. `iocluster --help` lists the commands.
            """;

    /** A line of the list of commands in a help text; descriptions that continue on the next line are indented further. */
    private static final Pattern LISTED_COMMAND = Pattern.compile("  ([a-z-]+)(?:  .*)?");

    private static final String SHARED_OPTIONS = """

            ## Options of many commands

            The usage of a command shows which of these it has. Its section explains only the others:

            | option | meaning |
            |---|---|
            """;

    private static final int USES_OF_A_SHARED_OPTION = 8;

    /** Where an option begins, or the empty line before the exit codes. */
    private static final Pattern PART = Pattern.compile("(?m)(?=^ {2,6}-)|(?=^$)");

    @Test
    void thePageMatchesTheCommands() throws IOException {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        List<String> commands = commands("").toList();
        assertThat(commands).contains("run", "dlq replay", "destination pause", "version");
        Set<String> shared = sharedOptions(commands);
        assertThat(shared).anyMatch(option -> option.startsWith("-h, --help"));
        page.append(SHARED_OPTIONS);
        for (String option : shared) {
            String[] nameAndMeaning = option.split(" (?=[^-])", 2);
            page.append("| `")
                    .append(nameAndMeaning[0])
                    .append("` | ")
                    .append(nameAndMeaning[1])
                    .append(" |\n");
        }
        for (String command : commands) {
            page.append("\n## ").append(command).append("\n\n```\n");
            parts(help(command)).filter(part -> !shared.contains(oneLine(part))).forEach(page::append);
            page.append("```\n");
        }
        if (Boolean.getBoolean("update-docs")) {
            Files.writeString(PAGE, page);
        }

        assertThat(PAGE).hasContent(page.toString());
    }

    /** Returns the options that many commands explain with the same words, each on one line. */
    private static Set<String> sharedOptions(List<String> commands) {
        Map<String, Long> uses = commands.stream()
                .flatMap(command -> parts(help(command)))
                .filter(part -> part.startsWith("  "))
                .map(CommandPageTest::oneLine)
                .filter(part -> part.startsWith("-"))
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        uses.values().removeIf(count -> count < USES_OF_A_SHARED_OPTION);
        return uses.keySet();
    }

    /** Splits a help text before each option and before the exit codes. */
    private static Stream<String> parts(String help) {
        return Stream.of(PART.split(help));
    }

    private static String oneLine(String part) {
        return part.strip().replaceAll("\\s+", " ");
    }

    /** Returns the commands below this one that have no commands themselves, or the command itself if it has none. */
    private static Stream<String> commands(String parent) {
        List<String> names = help(parent)
                .lines()
                .dropWhile(line -> !line.equals("Commands:"))
                .skip(1)
                .takeWhile(line -> line.startsWith("  "))
                .map(LISTED_COMMAND::matcher)
                .filter(Matcher::matches)
                .map(listed -> listed.group(1))
                .toList();
        return names.isEmpty()
                ? Stream.of(parent)
                : names.stream().flatMap(name -> commands(parent.isEmpty() ? name : parent + " " + name));
    }

    private static String help(String command) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
        Terminal terminal = new Terminal(InputStream.nullInputStream(), printed, printed, Map.of(), false, false);
        String[] arguments = (command + " --help").strip().split(" ");

        assertThat(Commands.run(terminal, new ConfiguredBrokerAccess(Instant.now(), Platform.system()), arguments))
                .isZero();
        return out.toString(StandardCharsets.UTF_8);
    }
}
