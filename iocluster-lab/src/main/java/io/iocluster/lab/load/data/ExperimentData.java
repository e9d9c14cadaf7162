package io.iocluster.lab.load.data;

import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.Phase;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Checks the data files of an experiment, and the calls that they give. */
public final class ExperimentData {

    private static final JsonMapper JSON = new JsonMapper();

    private ExperimentData() {}

    /**
     * Reads all files of feeders and replays.
     *
     * @return a call of each request, with the first row of its feeders
     * @throws InvalidRequestException if a request names a field that its feeder does not have, or its JSON body is not JSON
     * @throws IOException if a file is missing or invalid; the message is for the user
     */
    public static List<CallSpec> check(ExperimentFile file) throws IOException {
        List<CallSpec> examples = new CallFactory(file, "check", 1, 0).examples();
        for (CallSpec example : examples) {
            checkBody(example);
        }
        for (Phase phase : file.experiment().phases()) {
            if (phase.shape() == Phase.Shape.REPLAY) {
                ReplayReader.summarize(file.resolve(phase.file()), phase.speed());
            }
        }
        return examples;
    }

    private static void checkBody(CallSpec call) throws InvalidRequestException {
        boolean json = call.headers().stream()
                .anyMatch(header -> header.name().equalsIgnoreCase("Content-Type") && isJson(header.value()));
        if (!json || call.body() == null) {
            return;
        }
        try {
            JSON.readTree(call.body());
        } catch (JacksonException broken) {
            throw new InvalidRequestException(
                    "requests[" + call.template() + "].body",
                    "is not JSON, but its Content-Type is: " + broken.getOriginalMessage());
        }
    }

    private static boolean isJson(String contentType) {
        String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return type.equals("application/json") || type.endsWith("+json");
    }
}
