package io.iocluster.lab.load.agent;

/**
 * The clock of an agent minus the driver's clock, from round trips of messages. The fastest round trip counts, because its
 * message waited least. Confined to one thread.
 */
final class ClockOffset {

    private long bestRoundTripMicros = Long.MAX_VALUE;
    private double offsetMicros;

    /**
     * Adds a round trip.
     *
     * @param sentAtMicros when the driver sent, by its clock
     * @param receivedAtMicros when the driver received the answer, by its clock
     * @param heldMicros how long the agent held the message
     * @param agentAtMicros when the agent answered, by its clock
     */
    void add(long sentAtMicros, long receivedAtMicros, long heldMicros, long agentAtMicros) {
        long roundTrip = receivedAtMicros - sentAtMicros - heldMicros;
        if (roundTrip >= 0 && roundTrip < bestRoundTripMicros) {
            bestRoundTripMicros = roundTrip;
            offsetMicros = agentAtMicros - (receivedAtMicros - roundTrip / 2.0);
        }
    }

    boolean isKnown() {
        return bestRoundTripMicros != Long.MAX_VALUE;
    }

    double micros() {
        return offsetMicros;
    }

    /** Returns how wrong the offset may be: half of the round trip. */
    double errorMicros() {
        return isKnown() ? bestRoundTripMicros / 2.0 : Double.NaN;
    }
}
