package io.iocluster.node.admin;

import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * A field of {@code /api/status} that a feature of the node provides. Immutable.
 *
 * @param json returns the current value; called on several threads
 */
public record StatusSection(String field, Supplier<? extends JsonNode> json) {}
