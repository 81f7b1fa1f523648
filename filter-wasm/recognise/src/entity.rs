//! What can be found, and how a find is reported.

use std::fmt;
use std::ops::Range;

/// A kind of structured personal data or secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Entity {
    /// An e-mail address, internationalised ones included.
    EmailAddress,
    /// A telephone number: E.164 with `+` or `00`, North American, or national with a trunk zero or a telling word nearby.
    PhoneNumber,
    /// A payment card number: issuer range, length and Luhn digit agree.
    CreditCard,
    /// An IBAN: country length and mod 97 agree.
    IbanCode,
    /// A United States social security number in a range that is or may be issued.
    UsSsn,
    /// An IPv4 or IPv6 address.
    IpAddress,
    /// A United States driver licence number next to words that say so.
    UsDriverLicense,
    /// A postal code next to words (or a US state) that say so.
    ZipCode,
    /// A key or token of a known provider, a JWT, or a random value assigned to a name such as `api_key`.
    ApiKey,
    /// A PEM or PGP private-key block.
    PrivateKey,
}

impl Entity {
    /// Every entity, in the order of declaration.
    pub const ALL: [Self; 10] = [
        Self::EmailAddress,
        Self::PhoneNumber,
        Self::CreditCard,
        Self::IbanCode,
        Self::UsSsn,
        Self::IpAddress,
        Self::UsDriverLicense,
        Self::ZipCode,
        Self::ApiKey,
        Self::PrivateKey,
    ];

    /// The name used in configuration, headers and placeholders, such as `EMAIL_ADDRESS`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EmailAddress => "EMAIL_ADDRESS",
            Self::PhoneNumber => "PHONE_NUMBER",
            Self::CreditCard => "CREDIT_CARD",
            Self::IbanCode => "IBAN_CODE",
            Self::UsSsn => "US_SSN",
            Self::IpAddress => "IP_ADDRESS",
            Self::UsDriverLicense => "US_DRIVER_LICENSE",
            Self::ZipCode => "ZIP_CODE",
            Self::ApiKey => "API_KEY",
            Self::PrivateKey => "PRIVATE_KEY",
        }
    }

    /// The entity of that name; exact spelling.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|entity| entity.name() == name)
    }

    /// Whether a model's opinion on this type is not used: its structure is checked here (digits, checksums, ranges), and a
    /// model finds values that merely look right.
    #[must_use]
    pub const fn overrules_models(self) -> bool {
        matches!(
            self,
            Self::CreditCard
                | Self::EmailAddress
                | Self::IbanCode
                | Self::IpAddress
                | Self::PhoneNumber
                | Self::UsSsn
        )
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntitySet(u16);

impl EntitySet {
    /// No entity.
    pub const NONE: Self = Self(0);
    /// Every entity.
    pub const ALL: Self = Self((1 << Entity::ALL.len()) - 1);

    /// The set with `entity` added.
    #[must_use]
    pub const fn with(self, entity: Entity) -> Self {
        Self(self.0 | entity.bit())
    }

    /// The set with `entity` taken out.
    #[must_use]
    pub const fn without(self, entity: Entity) -> Self {
        Self(self.0 & !entity.bit())
    }

    /// Whether `entity` is in the set.
    #[must_use]
    pub const fn contains(self, entity: Entity) -> bool {
        self.0 & entity.bit() != 0
    }

    /// Whether nothing is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Entity> for EntitySet {
    fn from_iter<I: IntoIterator<Item = Entity>>(entities: I) -> Self {
        entities.into_iter().fold(Self::NONE, Self::with)
    }
}

/// One find.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Bytes of the text that was scanned; never empty, always on character boundaries.
    pub range: Range<usize>,
    /// What it is.
    pub entity: Entity,
    /// How sure, 0 to 1: 1.0 a checksum or an unmistakable prefix, 0.9 a strict format, 0.75 a loose format beside telling words.
    pub score: f32,
}

pub(crate) const CERTAIN: f32 = 1.0;
pub(crate) const FORMAT: f32 = 0.9;
pub(crate) const CONTEXT: f32 = 0.75;
