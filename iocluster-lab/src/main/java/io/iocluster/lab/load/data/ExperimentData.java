package io.iocluster.lab.load.data;

import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.Phase;
import java.io.IOException;

/** Checks the data files of an experiment. */
public final class ExperimentData {

    private ExperimentData() {}

    /**
     * Reads all files of feeders and replays.
     *
     * @throws IOException if one is missing or invalid, or a template names a field that its feeder does not have; the message is
     *     for the user
     */
    public static void check(ExperimentFile file) throws IOException {
        CallFactory calls = new CallFactory(file, "check", 1, 0);
        if (!file.experiment().requests().isEmpty()) {
            calls.next();
        }
        for (Phase phase : file.experiment().phases()) {
            if (phase.shape() == Phase.Shape.REPLAY) {
                ReplayReader.summarize(file.resolve(phase.file()), phase.speed());
            }
        }
    }
}
