package io.iocluster.usable;

import io.iocluster.message.usable.UsableRule;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.Inlined;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** Says which answers of a destination are usable, if the envelope does not. Immutable. */
public record UsableSettings(
        @Inlined UsableRule rule,

        @Setting(
                value = "64KiB",
                doc = "Bytes of a body that the node reads to find the value, also for the rule of an envelope. If it"
                        + " does not end within them, the answer is not usable.")
        DataSize maxBytes) {

    /** The defaults of the configuration: no rule. */
    public static final UsableSettings DEFAULTS = new UsableSettings(UsableRule.NONE, new DataSize(64 * 1024));

    public UsableSettings {
        rule = rule.isGiven() ? rule : UsableRule.NONE;
        new SettingsValidator()
                .checkRange("max-bytes", maxBytes, new DataSize(1024), DataSize.ofMebibytes(256))
                .throwIfInvalid();
    }

    /** Returns the maximum number of bytes of a body that are read. */
    public int maxBodyBytes() {
        return (int) maxBytes.bytes();
    }

    /** Returns the rule that applies to a call; null if there is none. */
    public UsableRule ruleFor(UsableRule ofEnvelope) {
        if (ofEnvelope != null) {
            return ofEnvelope;
        }
        return rule == UsableRule.NONE ? null : rule;
    }
}
