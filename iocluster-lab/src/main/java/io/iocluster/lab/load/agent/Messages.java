package io.iocluster.lab.load.agent;

import io.iocluster.lab.load.result.TimePoint;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What driver and agents announce on their channel. Each announces its whole state several times a second, so that a lost message does
 * no harm.
 */
final class Messages {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private static final SteadyClock CLOCK = SteadyClock.ofSystem();

    private Messages() {}

    /** One message; either of the fields is null. */
    record Message(DriverState driver, AgentState agent) {}

    /** What a driver wants. */
    enum DriverStep {
        /** Agents that are free announce themselves. */
        GATHER,
        /** The chosen agents load the experiment and connect. */
        PREPARE,
        /** The agents run at the start time. */
        RUN,
        /** The run is over; the agents are free again. */
        END
    }

    /**
     * The state of a driver.
     *
     * @param sequence increases with each message
     * @param sentAtMicros the driver's wall clock
     * @param agents the chosen agents; each takes the share of its index
     * @param experiment the YAML; null except in {@link DriverStep#PREPARE}
     * @param startAtMicros when the run starts, by the driver's clock; 0 before {@link DriverStep#RUN}
     * @param stop why the agents must end the run early; null if they must not
     * @param offsetsMicros clock of each agent minus the driver's clock
     * @param received number of parts of its result that the driver has of each agent
     */
    record DriverState(
            String run,
            long sequence,
            long sentAtMicros,
            DriverStep step,
            List<String> agents,
            String experiment,
            long startAtMicros,
            String stop,
            Map<String, Double> offsetsMicros,
            Map<String, Integer> received) {

        /** Fills in what a foreign message does not have. */
        DriverState {
            agents = agents == null ? List.of() : agents;
            offsetsMicros = offsetsMicros == null ? Map.of() : offsetsMicros;
            received = received == null ? Map.of() : received;
        }
    }

    /** What an agent does. */
    enum AgentStep {
        FREE,
        READY,
        RUNNING,
        /** The run has ended, and the result is announced in parts. */
        RESULT,
        /** The experiment cannot be run, or its run has failed; {@link AgentState#problem} says why. */
        FAILED
    }

    /**
     * The state of an agent.
     *
     * @param agent name of the agent
     * @param instance unique for each process
     * @param version version of the agent's program; null in a message of an older one
     * @param run the run that it takes part in; null if it is free
     * @param echo sequence of the last message of the driver; 0 if there was none
     * @param echoSentAtMicros its time by the driver's clock
     * @param echoHeldMicros how long ago the agent received it
     * @param atMicros the agent's wall clock
     * @param points the last seconds of the run
     * @param part number of the part, counted from 0
     * @param parts number of all parts; 0 if there is no result yet
     * @param data the part, in Base64; null if there is none
     */
    record AgentState(
            String agent,
            String instance,
            String version,
            String host,
            String run,
            AgentStep step,
            String problem,
            long echo,
            long echoSentAtMicros,
            long echoHeldMicros,
            long atMicros,
            List<TimePoint> points,
            int part,
            int parts,
            String data) {}

    static byte[] encode(DriverState driver) {
        return JSON.writeValueAsBytes(new Message(driver, null));
    }

    static byte[] encode(AgentState agent) {
        return JSON.writeValueAsBytes(new Message(null, agent));
    }

    /** Returns the message; null if the bytes are not one, because every client of the broker can write to the channel. */
    static Message decode(byte[] bytes) {
        try {
            return JSON.readValue(new String(bytes, StandardCharsets.UTF_8), Message.class);
        } catch (JacksonException foreign) {
            return null;
        }
    }

    /** Returns the wall clock of this process, without its later steps. */
    static long nowMicros() {
        return CLOCK.micros();
    }
}
