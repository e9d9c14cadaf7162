package io.iocluster.lab.load.experiment;

import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.config.binding.YamlLines;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * An experiment and where it came from.
 *
 * @param folder the folder of the files that the experiment names
 * @param text the YAML, before references to environment variables are replaced
 */
public record ExperimentFile(Experiment experiment, Path folder, String text) {

    /**
     * Reads and checks a file.
     *
     * @param environment variables that override keys ({@code IOCLUSTER_SYSTEM_KIND}) and that the file refers to ({@code ${NAME}})
     * @throws InvalidSettingsException if there are errors; each key is {@code FILE:LINE: PATH}
     */
    public static ExperimentFile load(Path file, Map<String, String> environment) {
        String text = read(file);
        Path folder = file.toAbsolutePath().getParent();
        try {
            Experiment experiment = new SettingsLoader<>(Experiment.class, environment)
                    .load(text, folder)
                    .settings();
            return new ExperimentFile(experiment, folder, text);
        } catch (InvalidSettingsException invalid) {
            YamlLines lines = YamlLines.of(text);
            throw new InvalidSettingsException(withoutConsequences(invalid.invalidSettings()).stream()
                    .map(error -> located(file, lines, error))
                    .toList());
        }
    }

    /**
     * Checks an experiment that was received from a driver.
     *
     * @param data folder of the files that it names
     * @throws InvalidSettingsException if there are errors
     */
    public static ExperimentFile parse(String text, Path data, Map<String, String> environment) {
        return new ExperimentFile(
                new SettingsLoader<>(Experiment.class, environment)
                        .load(text, data)
                        .settings(),
                data,
                text);
    }

    /** Returns the experiment without faults, metrics and expectations, which the driver handles. */
    public ExperimentFile forAgent() {
        Experiment all = experiment;
        return new ExperimentFile(
                new Experiment(
                        all.name(),
                        all.hypothesis(),
                        all.seed(),
                        all.system(),
                        all.requests(),
                        all.feeders(),
                        all.phases(),
                        List.of(),
                        List.of(),
                        List.of(),
                        all.metricsInterval(),
                        all.drainTimeout()),
                folder,
                text);
    }

    /**
     * Leaves out errors that only follow from others: an invalid entry of a list is unknown to those that refer to it, and an unknown
     * shape or action is checked as the default.
     */
    private static List<InvalidSetting> withoutConsequences(List<InvalidSetting> errors) {
        boolean invalidEntry = errors.stream()
                .anyMatch(error -> !isUnknownName(error)
                        && CrossReferences.LISTS.stream()
                                .anyMatch(list -> error.key().startsWith(list + "[")));
        List<String> unknownKinds = errors.stream()
                .filter(error -> error.problem().startsWith("must be one of"))
                .map(InvalidSetting::key)
                .filter(key -> key.endsWith(".shape") || key.endsWith(".action"))
                .toList();
        return errors.stream()
                .filter(error -> !invalidEntry || !isUnknownName(error))
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

    private static InvalidSetting located(Path file, YamlLines lines, InvalidSetting error) {
        String line = lines.lineOf(error.key()).stream()
                .mapToObj(number -> ":" + number)
                .findFirst()
                .orElse("");
        return new InvalidSetting(file + line + ": " + error.key(), error.problem());
    }

    private static String read(Path file) {
        String problem;
        try {
            return Files.readString(file);
        } catch (NoSuchFileException missing) {
            problem = "does not exist";
        } catch (MalformedInputException notText) {
            problem = "is not text in UTF-8";
        } catch (IOException unreadable) {
            problem = "cannot be read: " + unreadable.getMessage();
        }
        throw new InvalidSettingsException(List.of(new InvalidSetting(file.toString(), problem)));
    }

    /** Returns the path of a file that the experiment names. */
    public Path resolve(String name) {
        return folder.resolve(name).normalize();
    }
}
