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

            ## Options and exit codes of many commands

            Every command has `-h` and `-V`. One with `--admin` also has `--ca`, `--token` and `--token-file`. A section explains only other
            options than these:

            | option | meaning |
            |---|---|
            """;

    private static final String SHARED_EXIT_CODES = """

            Many commands have these exit codes. A section lists only its other codes:

            | code | meaning |
            |---|---|
            """;

    private static final int USES_OF_A_SHARED_PART = 8;

    /** Where an option or an exit code begins, or the empty line before the exit codes. */
    private static final Pattern PART = Pattern.compile("(?m)(?=^ {2,6}-)|(?=^ {2}\\d+ {3})|(?=^$)");

    private static final String EXIT_CODES = "\nExit codes:\n";

    /** Options that the page leaves out of a usage, because every command, or each one with {@code --admin}, has them. */
    private static final Set<String> IMPLIED = Set.of("[-hV]", "[--ca=FILE]", "[--token=TOKEN]", "[--token-file=FILE]");

    private static final int WIDTH = 80;

    @Test
    void thePageMatchesTheCommands() throws IOException {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        List<String> commands = commands("").toList();
        assertThat(commands).contains("run", "dlq replay", "destination pause", "version");
        Set<String> options = sharedParts(commands, "-");
        assertThat(options).anyMatch(option -> option.startsWith("-h, --help"));
        page.append(SHARED_OPTIONS).append(table(options));
        Set<String> exitCodes = sharedParts(commands, "\\d");
        assertThat(exitCodes).contains("2 The command line is wrong.");
        page.append(SHARED_EXIT_CODES).append(table(exitCodes));
        for (String command : commands) {
            String own = parts(help(command))
                    .filter(part -> !options.contains(oneLine(part)) && !exitCodes.contains(oneLine(part)))
                    .collect(Collectors.joining());
            page.append("\n## ").append(command).append("\n\n```\n");
            String explained = own.endsWith(EXIT_CODES) ? own.substring(0, own.length() - EXIT_CODES.length()) : own;
            page.append(withShortUsage(explained, "Usage: iocluster " + command));
            page.append("```\n");
        }
        if (Boolean.getBoolean("update-docs")) {
            Files.writeString(PAGE, page);
        }

        assertThat(PAGE).hasContent(page.toString());
    }

    /** Returns the options or exit codes that many commands explain with the same words, each on one line. */
    private static Set<String> sharedParts(List<String> commands, String begin) {
        Pattern beginning = Pattern.compile(begin);
        Map<String, Long> uses = commands.stream()
                .flatMap(command -> parts(help(command)))
                .filter(part -> part.startsWith("  "))
                .map(CommandPageTest::oneLine)
                .filter(part -> beginning.matcher(part).lookingAt())
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        uses.values().removeIf(count -> count < USES_OF_A_SHARED_PART);
        return uses.keySet();
    }

    /** Removes the implied options from the usage at the start of a help text. */
    private static String withShortUsage(String help, String usage) {
        assertThat(help).startsWith(usage);
        int end = help.indexOf('\n');
        while (help.startsWith(" ", end + 1)) {
            end = help.indexOf('\n', end + 1);
        }
        // The help text breaks a line also before or after the comma in [,URL...].
        String options = help.substring(usage.length(), end)
                .replaceAll(",\\n +", ",")
                .replaceAll("\\n +\\[,", "[,")
                .replaceAll("\\n +", " ");
        StringBuilder shortUsage = new StringBuilder(usage);
        int lineStart = 0;
        for (String option : options.strip().split(" ")) {
            if (IMPLIED.contains(option)) {
                continue;
            }
            if (shortUsage.length() - lineStart + option.length() >= WIDTH) {
                shortUsage.append('\n');
                lineStart = shortUsage.length();
                shortUsage.append(" ".repeat(usage.length()));
            }
            shortUsage.append(' ').append(option);
        }
        return shortUsage + help.substring(end);
    }

    private static String table(Set<String> parts) {
        return parts.stream()
                .map(part -> part.split(" (?=[^-])", 2))
                .map(nameAndMeaning -> "| `" + nameAndMeaning[0] + "` | " + nameAndMeaning[1] + " |\n")
                .collect(Collectors.joining());
    }

    /** Splits a help text before each option, before the exit codes, and before each of these. */
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
