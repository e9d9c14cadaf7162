package io.iocluster.lab.load.experiment;

import io.iocluster.node.config.binding.YamlLines;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The errors of an experiment, as its author sees them: with the file, the line, and what to do. Stateless. */
final class ExperimentErrors {

    private static final Pattern SYNTAX = Pattern.compile("line (\\d+):");

    /** A placeholder at the beginning of a value, where YAML takes its braces for those of a map. */
    private static final Pattern UNQUOTED = Pattern.compile("(?m)(^\\s*|[:,\\[{-]\\s+)\\{\\{");

    private static final String MAP_AS_KEY = "Expected a property name";
    private static final String QUOTE = "put a text with a placeholder in quotes, such as key: \"{{feeder.field}}\"";

    private ExperimentErrors() {}

    /** Returns the errors without those that only follow from others. */
    static InvalidSettingsException of(Path file, String text, List<InvalidSetting> errors) {
        YamlLines lines = YamlLines.of(text);
        return new InvalidSettingsException(withoutConsequences(errors).stream()
                .map(error -> located(file, text, lines, error))
                .toList());
    }

    /**
     * Leaves out errors that only follow from others: an invalid entry of a list is unknown to those that refer to it, an invalid
     * system has no servers, and an unknown shape or action is checked as the default.
     */
    private static List<InvalidSetting> withoutConsequences(List<InvalidSetting> errors) {
        boolean invalidEntry = errors.stream()
                .anyMatch(error -> !isUnknownName(error)
                        && CrossReferences.LISTS.stream()
                                .anyMatch(list -> error.key().startsWith(list + "[")));
        boolean invalidSystem = errors.stream().anyMatch(error -> error.key().startsWith("system"));
        List<String> unknownKinds = errors.stream()
                .filter(error -> error.problem().startsWith("must be one of"))
                .map(InvalidSetting::key)
                .filter(key -> key.endsWith(".shape") || key.endsWith(".action"))
                .toList();
        return errors.stream()
                .filter(error -> !invalidEntry || !isUnknownName(error))
                .filter(error -> !invalidSystem || !error.problem().startsWith(CrossReferences.NEEDS_SERVER))
                .filter(error ->
                        unknownKinds.stream().allMatch(kind -> kind.equals(error.key()) || !isBeside(error, kind)))
                .toList();
    }

    private static boolean isUnknownName(InvalidSetting error) {
        return error.problem().startsWith(CrossReferences.UNKNOWN);
    }

    private static boolean isBeside(InvalidSetting error, String kind) {
        return error.key().startsWith(kind.substring(0, kind.lastIndexOf('.') + 1));
    }

    private static InvalidSetting located(Path file, String text, YamlLines lines, InvalidSetting error) {
        Matcher syntax = SYNTAX.matcher(error.key());
        if (syntax.matches()) {
            int line = Integer.parseInt(syntax.group(1));
            return new InvalidSetting(file + ":" + line + ":", syntaxProblem(text, line, error.problem()));
        }
        String line = lines.lineOf(error.key()).stream()
                .mapToObj(number -> ":" + number)
                .findFirst()
                .orElse("");
        return new InvalidSetting(file + line + ": " + error.key(), error.problem() + hint(error));
    }

    private static String syntaxProblem(String text, int line, String problem) {
        if (problem.startsWith(MAP_AS_KEY) && UNQUOTED.matcher(text).find()) {
            return QUOTE;
        }
        String source = text.lines().skip(line - 1L).findFirst().orElse("");
        return UNQUOTED.matcher(source).find() ? problem + "; " + QUOTE : problem;
    }

    private static String hint(InvalidSetting error) {
        if (error.key().endsWith(".body") && error.problem().startsWith("must be a single value")) {
            return "; write JSON as a text in quotes, such as body: '{\"id\": 1}'";
        }
        if (error.key().endsWith(".weight") && error.problem().startsWith("must be a number")) {
            return "; weights are relative to each other, such as 3 and 1";
        }
        return "";
    }
}
