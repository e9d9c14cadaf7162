package io.iocluster.node.events;

import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * A part of the node's state. Immutable.
 *
 * @param name the name of its events
 * @param sensitive whether a client needs a token to read it, if one is set
 * @param everyTicks number of ticks from one read to the next, at least 1
 * @param json returns the current value; called on one thread
 */
public record EventPart(String name, boolean sensitive, int everyTicks, Supplier<? extends JsonNode> json) {

    /** Returns a part that needs no token. */
    public static EventPart open(String name, int everyTicks, Supplier<? extends JsonNode> json) {
        return new EventPart(name, false, everyTicks, json);
    }

    /** Returns a part that needs a token, if one is set. */
    public static EventPart sensitive(String name, int everyTicks, Supplier<? extends JsonNode> json) {
        return new EventPart(name, true, everyTicks, json);
    }
}
