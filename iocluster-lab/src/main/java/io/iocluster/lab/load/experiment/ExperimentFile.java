package io.iocluster.lab.load.experiment;

import io.iocluster.node.config.binding.FileReadError;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An experiment and where it came from.
 *
 * @param folder the folder of the files that the experiment names
 * @param text the YAML, before references to environment variables are replaced
 */
public record ExperimentFile(Experiment experiment, Path folder, String text) {

    private static final long MAX_BYTES = 16L << 20;

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
            throw ExperimentErrors.of(file, text, invalid.invalidSettings());
        }
    }

    /**
     * Checks an experiment that was received from a driver, and leaves out faults, metrics and expectations, which the driver handles.
     *
     * @param data folder of the files that it names; it may use no others
     * @throws InvalidSettingsException if there are errors
     * @throws IOException if it names a file outside of the folder; the message is for the user
     */
    public static ExperimentFile ofDriver(String text, Path data, Map<String, String> environment) throws IOException {
        LoadedSettings<Experiment> loaded = new SettingsLoader<>(Experiment.class, environment).load(text, data);
        Experiment all = loaded.settings();
        List<Path> files = new ArrayList<>(loaded.files());
        all.feeders().stream()
                .map(Feeder::file)
                .filter(name -> !name.isEmpty())
                .map(data::resolve)
                .forEach(files::add);
        all.phases().stream()
                .map(Phase::file)
                .filter(name -> !name.isEmpty())
                .map(data::resolve)
                .forEach(files::add);
        for (Path file : files) {
            checkWithin(data, file);
        }
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
                data,
                text);
    }

    private static void checkWithin(Path folder, Path file) throws IOException {
        boolean outside = Files.exists(file)
                ? !file.toRealPath().startsWith(folder.toRealPath())
                : !file.toAbsolutePath()
                        .normalize()
                        .startsWith(folder.toAbsolutePath().normalize());
        if (outside) {
            throw new IOException(file + ": is outside of the folder " + folder + " of this agent's --data");
        }
    }

    private static String read(Path file) {
        String problem;
        try {
            if (Files.size(file) > MAX_BYTES) {
                problem = "is larger than " + (MAX_BYTES >> 20) + " MiB; put data into files of feeders";
            } else if (!Files.isRegularFile(file)) {
                problem = "is not a file";
            } else {
                return Files.readString(file);
            }
        } catch (NoSuchFileException missing) {
            problem = "does not exist";
        } catch (MalformedInputException notText) {
            problem = "is not text in UTF-8";
        } catch (IOException unreadable) {
            problem = "cannot be read: " + FileReadError.reason(file, unreadable);
        }
        throw new InvalidSettingsException(List.of(new InvalidSetting(file.toString(), problem)));
    }

    /** Returns the path of a file that the experiment names. */
    public Path resolve(String name) {
        return folder.resolve(name).normalize();
    }

    /**
     * Returns the error of a key that was found after the file was read.
     *
     * @param file where the experiment was read from
     */
    public InvalidSettingsException invalid(Path file, String key, String problem) {
        return ExperimentErrors.of(file, text, List.of(new InvalidSetting(key, problem)));
    }
}
